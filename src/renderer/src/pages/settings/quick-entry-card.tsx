import { useEffect, useState, type KeyboardEvent } from 'react'
import { globalShortcutOf, type QuickEntryState } from '../../../../shared/app/quick-entry.ts'
import { shortcutText } from '../../../../shared/app/shortcuts.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/error-note.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { platform } from '../../shell/platform.ts'
import { call } from '../../stores/client.ts'
import { followQuickEntry, useQuickEntry } from '../../stores/quick-entry.ts'
import { SettingCard } from './setting-card.tsx'

/** The shortcut of the small window, which counts once it was pressed and arrived. */
export function QuickEntryCard() {
  const state = useQuickEntry((known) => known.state)
  useEffect(followQuickEntry, [])
  return (
    <SettingCard title={t('Quick entry')}>
      <p className="text-xs text-muted">
        {t('A small window for a question, over all other windows.')}
      </p>
      {state && <Shortcut state={state} />}
    </SettingCard>
  )
}

function Shortcut({ state }: { state: QuickEntryState }) {
  const { shortcut } = state
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="min-w-0 flex-1">
          {shortcut === null
            ? t('No shortcut')
            : t('Shortcut: {keys}', { keys: shortcutText(shortcut, platform) })}
        </span>
        <RecordButton label={shortcut === null ? t('Set shortcut') : t('Change shortcut')} />
        {shortcut !== null && (
          <Button onClick={() => void call('quick-entry:turn-off')}>{t('Turn off')}</Button>
        )}
        <Button onClick={() => void call('quick-entry:show')}>{t('Open quick entry')}</Button>
      </div>
      <Outcome state={state} />
    </>
  )
}

/** What the system did with the shortcut that was recorded last, or with the set one at this start. */
function Outcome({ state: { shortcut, isLost, trial, command } }: { state: QuickEntryState }) {
  const shown = trial ?? (isLost && shortcut !== null ? { kind: 'refused', shortcut } : null)
  const keys = shown && shortcutText(shown.shortcut, platform)
  const isWaiting = shown?.kind === 'waiting'
  return (
    <>
      <p role="status" className="text-sm font-medium empty:hidden">
        {isWaiting && t('Press {keys} now, to prove that it arrives.', { keys })}
      </p>
      {shown && !isWaiting && (
        <>
          <Note kind="warn">
            <span className="min-w-0 flex-1 basis-40">
              {shown.kind === 'refused'
                ? t(
                    'The system refuses {keys}: another program may use it. Choose another one, or use this command in a shortcut of the desktop’s own settings.',
                    { keys },
                  )
                : t(
                    '{keys} did not arrive, so it is not set. Some desktops with Wayland deliver no such shortcuts. Use this command in a shortcut of the desktop’s own settings instead.',
                    { keys },
                  )}
            </span>
          </Note>
          <Snippet code={command} what={t('command')} />
        </>
      )}
    </>
  )
}

/** Once clicked, it takes the next key press that can be a shortcut. Escape and leaving it change nothing. */
function RecordButton({ label }: { label: string }) {
  const [isRecording, setIsRecording] = useState(false)
  function onKeyDown(event: KeyboardEvent): void {
    if (!isRecording || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const shortcut = globalShortcutOf(event.nativeEvent, platform)
    if (shortcut !== null) void call('quick-entry:record', { shortcut })
    if (shortcut !== null || event.key === 'Escape') setIsRecording(false)
  }
  return (
    <Button
      onClick={() => setIsRecording(true)}
      onKeyDown={onKeyDown}
      onBlur={() => setIsRecording(false)}
    >
      {isRecording ? t('Press the keys…') : label}
    </Button>
  )
}
