export default {
  title: 'Lighthouse',
  url: 'https://lighthouse.example',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  presets: [
    [
      'classic',
      {
        docs: {editUrl: 'https://github.com/lighthouse/lighthouse/edit/main/'},
        blog: {editUrl: 'https://github.com/lighthouse/lighthouse/edit/main/', onUntruncatedBlogPosts: 'ignore', onInlineAuthors: 'ignore'},
        pages: {editUrl: 'https://github.com/lighthouse/lighthouse/edit/main/'},
      },
    ],
  ],
  themeConfig: {
    navbar: {items: [{href: 'https://github.com/lighthouse/lighthouse', label: 'GitHub'}]},
  },
};
