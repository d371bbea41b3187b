import { commandsIn, type MenuName } from '../../../shared/app/commands.ts'
import { t } from '../../../shared/strings/strings.ts'
import { ShortcutKeys } from '../components/shortcut-keys.tsx'

const menus: readonly { menu: MenuName; title: string }[] = [
  { menu: 'File', title: t('File') },
  { menu: 'Edit', title: t('Edit') },
  { menu: 'View', title: t('View') },
  { menu: 'Go', title: t('Go') },
  { menu: 'Help', title: t('Help') },
]

/** All commands that have a shortcut, by menu. */
export function ShortcutsList() {
  return (
    <div className="gap-8 sm:columns-2">
      {menus.map(({ menu, title: heading }) => (
        <section key={menu} aria-label={heading} className="mb-4 break-inside-avoid">
          <h3 className="border-b border-line pb-1 text-xs font-medium text-muted">{heading}</h3>
          <dl className="text-sm">
            {commandsIn(menu).map(
              ({ id, title, shortcut }) =>
                shortcut !== null && (
                  <div
                    key={id}
                    className="flex items-center justify-between gap-4 border-b border-line/60 py-1.5 last:border-b-0"
                  >
                    <dt>{title}</dt>
                    <dd>
                      <ShortcutKeys shortcut={shortcut} />
                    </dd>
                  </div>
                ),
            )}
          </dl>
        </section>
      ))}
    </div>
  )
}
