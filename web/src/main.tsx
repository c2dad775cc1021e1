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
    // There are no texts: the one sentence that is in the page.
    () => root.querySelector('p')?.removeAttribute('hidden'),
  );
}
