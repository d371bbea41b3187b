import { Dialog } from '../components/dialog.tsx'
import { FindBar } from './find-bar.tsx'
import { Palette } from './palette.tsx'
import { closeOverlay, useShell } from './shell-state.ts'
import { ShortcutsList } from './shortcuts-list.tsx'
import { t } from '../../../shared/strings/strings.ts'

/** The palette, the shortcuts sheet or the find bar, whichever is open. */
export function Overlays() {
  const overlay = useShell((state) => state.overlay)
  if (overlay === 'palette') return <Palette />
  if (overlay === 'find') return <FindBar />
  if (overlay === null) return null
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={closeOverlay} isWide>
      <ShortcutsList />
    </Dialog>
  )
}
