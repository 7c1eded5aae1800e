export default function (config) {
  config.addGlobalData('layout', 'page.njk');
  return {dir: {input: 'src', output: '_site'}, pathPrefix: '/site/'};
}
