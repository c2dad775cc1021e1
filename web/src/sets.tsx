import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Page } from './actions.tsx';
import { ask } from './api.ts';
import { day, plural } from './format.ts';
import type { PanelProps } from './map_page.tsx';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import type { AreaSet } from './sets/model.ts';
import { OneSet } from './sets/one.tsx';
import { Show, SignIn, useLoad } from './ui.tsx';

/** The area sets of the organization, or one of them on the map. */
export default function SetsPanel(props: PanelProps): JSX.Element {
  const account = useAccount();
  const name = props.route.path.split('/')[2];
  if (account && name) return <OneSet key={name} name={name} {...props} />;
  return <List {...props} signedIn={account === undefined ? undefined : account !== null} />;
}

const MOST_LISTED = 100;

function List({ click, signedIn }: PanelProps & { signedIn: boolean | undefined }): JSX.Element {
  click.current = () => undefined;
  useEffect(() => {
    document.title = 'Territories · Boundary Lookup';
  }, []);
  const sets = useLoad(signedIn ? 'sets' : null, (signal) =>
    ask<Page<AreaSet>>('/sets', { query: { limit: MOST_LISTED }, signal }),
  );
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>Territories</h1>
      <p>Areas of your own: sales regions, catchments, delivery zones, beside official boundaries.</p>
      {signedIn === false && <SignIn>to see the area sets of your organization.</SignIn>}
      {signedIn && (
        <Show of={sets}>
          {({ items, total }) => (
            <>
              {items.length === 0 && (
                <p class="nothing">
                  There is no area set yet. <a href={href('/file')}>Show a file</a> and save it as areas of your own, or
                  make one from groups of boundaries with <code>create_area_set</code>.
                </p>
              )}
              <ul class="places">
                {items.map(({ name, title, versions }) => (
                  <li key={name}>
                    <a href={href(`/sets/${name}`)}>
                      <span>{title}</span>
                      <span class="soft">
                        {plural(versions.at(-1)?.areas ?? 0, 'area')}, {day(versions.at(-1)?.valid_from ?? '')}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
              {items.length > 0 && (
                <p class="soft small">
                  To bring another, <a href={href('/file')}>show a file</a> and save it.
                </p>
              )}
              {total > items.length && (
                <p class="soft small">
                  The first {items.length} of {total}.
                </p>
              )}
            </>
          )}
        </Show>
      )}
    </div>
  );
}
