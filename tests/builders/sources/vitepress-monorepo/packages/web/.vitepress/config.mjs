const pattern = 'https://gitlab.com/lighthouse/lighthouse/-/edit/release/2.x/packages/web/:path';

export default {
  title: 'Lighthouse',
  base: '/site/',
  cleanUrls: true,
  ignoreDeadLinks: true,
  rewrites: {'guide/install.md': 'setup.md'},
  locales: {
    root: {label: 'English', lang: 'en'},
    de: {label: 'Deutsch', lang: 'de', themeConfig: {editLink: {pattern, text: 'Seite bearbeiten'}}},
  },
  themeConfig: {editLink: {pattern}},
};
