import starlight from '@astrojs/starlight';
import {defineConfig} from 'astro/config';

export default defineConfig({
  site: 'https://lighthouse.example',
  integrations: [
    starlight({
      title: 'Lighthouse',
      pagefind: false,
      editLink: {baseUrl: 'https://github.com/lighthouse/lighthouse/edit/main/'},
      social: [{icon: 'github', label: 'GitHub', href: 'https://github.com/lighthouse/lighthouse'}],
    }),
  ],
});
