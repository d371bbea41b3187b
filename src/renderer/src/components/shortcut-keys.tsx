import { shownKeys, type Shortcut } from '../../../shared/app/shortcuts.ts'
import { platform } from '../shell/platform.ts'

/** The keys of a shortcut, each in a box. */
export function ShortcutKeys({ shortcut }: { shortcut: Shortcut }) {
  return (
    <kbd className="flex shrink-0 gap-1 font-sans">
      {shownKeys(shortcut, platform).map((key) => (
        <kbd
          key={key}
          className="flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-[0.6875rem] text-muted"
        >
          {key}
        </kbd>
      ))}
    </kbd>
  )
}
