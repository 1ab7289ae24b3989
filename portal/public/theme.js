// Before the first paint, so that nobody who has chosen a theme sees the other one flash by.
try {
  var theme = localStorage.getItem('gatehouse-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to pages here: the system's theme it is.
}
