import starlight from '@astrojs/starlight';
import {defineConfig} from 'astro/config';

export default defineConfig({
  site: 'https://lighthouse.example',
  base: '/site',
  trailingSlash: 'never',
  build: {format: 'file'},
  integrations: [
    starlight({
      title: 'Lighthouse',
      pagefind: false,
      defaultLocale: 'root',
      locales: {root: {label: 'English', lang: 'en'}, de: {label: 'Deutsch', lang: 'de'}},
      editLink: {baseUrl: 'https://codeberg.org/lighthouse/lighthouse/_edit/main/web/'},
    }),
  ],
});
