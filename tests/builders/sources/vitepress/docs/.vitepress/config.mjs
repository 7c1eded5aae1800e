export default {
  title: 'Lighthouse',
  ignoreDeadLinks: true,
  sitemap: {hostname: 'https://lighthouse.example'},
  themeConfig: {
    editLink: {pattern: 'https://github.com/lighthouse/lighthouse/edit/main/docs/:path'},
    socialLinks: [{icon: 'github', link: 'https://github.com/lighthouse/lighthouse'}],
  },
};
