import { Skeleton } from '../../components/page.tsx'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { SampleCallTabs } from '../../components/sample-calls.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { useApp } from '../../stores/app.ts'
import { copyKey, type ShownKey } from '../../stores/keys.ts'
import { useUsualRouter } from '../../stores/last-answer.ts'
import { useRouters } from '../../stores/routers.ts'
import { useSampleCalls } from '../../stores/sample-calls.ts'
import { t } from '../../../../shared/strings/strings.ts'

/**
 * Shows a new key once. The key is written to the page outside React, which would keep it
 * after the dialog closes.
 */
export function NewKeyDialog({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
  const endpoint = useApp((state) => state.state?.endpoint)
  const [isLeaving, setIsLeaving] = useState(false)
  const { run, isRunning, error } = useAction(async () => {
    await copyKey(shown)
    onClose()
  })
  return (
    <Dialog
      title={t('Key for {name}', { name: shown.name })}
      description={t(
        'Copy the key now, because Modelport cannot show it again. Keep it in an environment variable and out of version control.',
      )}
      onClose={() => setIsLeaving(true)}
      isHeld
      isWide
    >
      <code
        aria-label={t('New key')}
        className="rounded-lg border border-accent bg-accent-soft px-3 py-2.5 font-mono text-sm wrap-anywhere select-all"
        ref={(element) => {
          if (element) element.textContent = shown.key
        }}
      />
      {endpoint?.status === 'listening' && <FirstCall shown={shown} url={endpoint.url} />}
      {error && <ErrorNote error={error} />}
      {isLeaving && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">{t('The key cannot be shown again.')}</span>
          <Button size="small" onClick={onClose}>
            {t('Close without copying')}
          </Button>
        </Note>
      )}
      <Button
        look="primary"
        className="self-end"
        data-first-focus
        disabled={isRunning}
        onClick={() => run()}
      >
        {t('Copy and close')}
      </Button>
    </Dialog>
  )
}

/** A first call with the key, to one of the routers that accept it. */
function FirstCall({ shown, url }: { shown: ShownKey; url: string }) {
  const routers = useRouters((state) => state.items)
  const [chosen, setChosen] = useState<string | null>(null)
  const allowed = (routers ?? []).filter(
    ({ id }) => shown.routers === 'all' || shown.routers.includes(id),
  )
  const usual = useUsualRouter(allowed)
  const routerId = chosen ?? usual?.id
  if (routerId === undefined) return null
  return (
    <section aria-label={t('Try the key')} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-medium">{t('Try the key')}</h3>
        <div className="w-56">
          <Select
            label={t('Router')}
            isLabelHidden
            choices={allowed.map(({ id, name }) => ({ value: id, label: name }))}
            value={routerId}
            onChange={setChosen}
          />
        </div>
      </div>
      <Samples routerId={routerId} url={url} readKey={() => shown.key} />
    </section>
  )
}

interface SamplesProps {
  routerId: string
  url: string
  readKey: () => string
}

function Samples({ routerId, url, readKey }: SamplesProps) {
  const { samples, error } = useSampleCalls(routerId, url)
  if (error) return <ErrorNote error={error} />
  if (!samples) return <Skeleton>{t('Loading…')}</Skeleton>
  return <SampleCallTabs tools={samples.tools} readKey={readKey} />
}
