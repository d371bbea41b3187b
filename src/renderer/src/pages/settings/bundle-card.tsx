import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { call } from '../../stores/client.ts'
import { SettingCard } from './setting-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** A text to send with a question. It is shown before it can be saved. */
export function BundleCard() {
  const [bundle, setBundle] = useState<string | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    setBundle(await call('diagnostics:bundle'))
  })
  return (
    <SettingCard title={t('Diagnostics bundle')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose min-w-0 flex-1 text-sm text-muted">
          {t(
            'One text with versions, settings, counts, the checks of all parts and the end of the log. It has no key, no prompt, no answer, and no name or address of yours.',
          )}
        </p>
        <Button disabled={isRunning} onClick={() => run()}>
          {isRunning ? t('Creating…') : t('Create a diagnostics bundle')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {bundle !== null && <BundleDialog text={bundle} onClose={() => setBundle(null)} />}
    </SettingCard>
  )
}

function BundleDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const save = () => {
    const day = new Date().toISOString().slice(0, 10)
    downloadFile({ name: `modelport-diagnostics-${day}.txt`, type: 'text/plain', text })
    onClose()
  }
  return (
    <Dialog
      title={t('Diagnostics bundle')}
      description={t('Read it before you send it. Modelport sends nothing by itself.')}
      isWide
      onClose={onClose}
    >
      <pre
        role="region"
        aria-label={t('Text of the bundle')}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs whitespace-pre"
      >
        {text}
      </pre>
      <div className="flex justify-end gap-2">
        <CopyButton label={t('Copy')} what={t('diagnostics bundle')} text={text} />
        <Button look="primary" onClick={save}>
          {t('Save as a file')}
        </Button>
      </div>
    </Dialog>
  )
}
