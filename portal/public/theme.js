// Before the first paint, so that it has the theme and the language that were chosen here.
(function () {
  var page = document.documentElement;
  var chosen = null;
  try {
    var theme = localStorage.getItem('gatehouse-theme');
    if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
    chosen = localStorage.getItem('gatehouse-locale');
  } catch {
    // Without storage, the theme of the system and the language of the browser.
  }
  if (!page.dataset.first) return;
  // The server has written the page in the language of its request, with a button for passkeys.
  var known = page.dataset.first.split(' ');
  var asked = navigator.languages.map(function (tag) {
    return tag.split('-')[0];
  });
  var wanted =
    chosen ||
    asked.filter(function (language) {
      return known.includes(language);
    })[0] ||
    'en';
  if (wanted !== page.lang) page.dataset.otherLanguage = '';
  if (!('PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential))
    page.dataset.noPasskeys = '';
})();
