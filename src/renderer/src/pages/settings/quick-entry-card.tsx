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

function Shortcut({ state: { shortcut, isLost, trial, command } }: { state: QuickEntryState }) {
  const [isRecording, setIsRecording] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="min-w-0 flex-1">
          {shortcut === null
            ? t('No shortcut')
            : t('Shortcut: {keys}', { keys: shortcutText(shortcut, platform) })}
        </span>
        {isRecording ? (
          <Recorder onEnd={() => setIsRecording(false)} />
        ) : (
          <Button onClick={() => setIsRecording(true)}>
            {shortcut === null ? t('Set shortcut') : t('Change shortcut')}
          </Button>
        )}
        {shortcut !== null && (
          <Button onClick={() => void call('quick-entry:turn-off')}>{t('Turn off')}</Button>
        )}
        <Button onClick={() => void call('quick-entry:show')}>{t('Open quick entry')}</Button>
      </div>
      <p role="status" className="text-sm font-medium empty:hidden">
        {trial?.kind === 'waiting' &&
          t('Press {keys} now, to prove that it arrives.', {
            keys: shortcutText(trial.shortcut, platform),
          })}
      </p>
      {trial?.kind === 'refused' && <Refusal shortcut={trial.shortcut} />}
      {isLost && shortcut !== null && trial === null && <Refusal shortcut={shortcut} />}
      {trial?.kind === 'silent' && (
        <Note kind="warn">
          <span className="min-w-0 flex-1 basis-40">
            {t(
              '{keys} did not arrive, so it is not set. Some desktops with Wayland deliver no such shortcuts. Use this command in a shortcut of the desktop’s own settings instead.',
              { keys: shortcutText(trial.shortcut, platform) },
            )}
          </span>
        </Note>
      )}
      {(trial?.kind === 'silent' || trial?.kind === 'refused' || isLost) && (
        <Snippet code={command} what={t('command')} />
      )}
    </>
  )
}

function Refusal({ shortcut }: { shortcut: string }) {
  return (
    <Note kind="warn">
      <span className="min-w-0 flex-1 basis-40">
        {t(
          'The system refuses {keys}: another program may use it. Choose another one, or use this command in a shortcut of the desktop’s own settings.',
          { keys: shortcutText(shortcut, platform) },
        )}
      </span>
    </Note>
  )
}

/** Takes the next key press that can be a shortcut. Escape and leaving it change nothing. */
function Recorder({ onEnd }: { onEnd: () => void }) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const shortcut = globalShortcutOf(event.nativeEvent, platform)
    if (shortcut !== null) void call('quick-entry:record', { shortcut })
    if (shortcut !== null || event.key === 'Escape') onEnd()
  }
  return (
    <input
      readOnly
      autoFocus
      aria-label={t('Shortcut')}
      placeholder={t('Press the keys')}
      onKeyDown={onKeyDown}
      onBlur={onEnd}
      className="h-8 w-44 rounded-md border border-accent bg-surface px-2 text-sm placeholder:text-muted"
    />
  )
}
