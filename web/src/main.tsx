import { render } from 'preact';
import { App } from './app.tsx';
import { startLanguage } from './language.ts';
import './style.css';

const root = document.querySelector('#app');
if (root) {
  startLanguage().then(
    () => {
      root.textContent = '';
      render(<App />, root);
    },
    () => {
      // There are no texts: the only sentence in one language.
      root.textContent = 'The page could not be loaded. Reload it.';
    },
  );
}
