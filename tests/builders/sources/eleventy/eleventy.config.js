export default function (config) {
  config.addGlobalData('layout', 'page.njk');
  config.ignores.add('README.md');
  return {dir: {output: '_site'}};
}
