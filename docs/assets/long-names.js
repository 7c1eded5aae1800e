/* On a telephone, long names in tables may break after a dot, an underscore or a bracket, and not within a word. */
document$.subscribe(() => {
  for (const code of document.querySelectorAll("article td code"))
    code.innerHTML = code.innerHTML.replace(/(\w[._(])(?=\w)/g, "$1<wbr>");
});
