const editUrl = 'https://gitlab.com/lighthouse/lighthouse/-/edit/main/';

export default {
  title: 'Lighthouse',
  url: 'https://lighthouse.example',
  baseUrl: '/site/',
  trailingSlash: false,
  onBrokenLinks: 'ignore',
  i18n: {defaultLocale: 'en', locales: ['en', 'de']},
  presets: [
    [
      'classic',
      {
        docs: {editUrl, editLocalizedFiles: true, routeBasePath: '/', lastVersion: 'current'},
        blog: false,
        sitemap: {lastmod: null, changefreq: 'weekly', priority: 0.5},
      },
    ],
  ],
};
