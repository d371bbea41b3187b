import { Link } from '@tanstack/react-router'
import { placeholderKey } from '../../../../shared/app/connect.ts'
import type { Router } from '../../../../shared/entities.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card, Skeleton } from '../../components/page.tsx'
import { SampleCallTabs } from '../../components/sample-calls.tsx'
import { useApp } from '../../stores/app.ts'
import { useSampleCalls } from '../../stores/sample-calls.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** A router's id and address, and ready-to-run sample calls. */
export function RouterUse({ router }: { router: Router }) {
  const endpoint = useApp((state) => state.state?.endpoint)
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-semibold">{t('Call this router')}</h2>
      <Copyable label={t('Router id')} what={t('router id')} text={router.id} />
      {endpoint?.status === 'listening' ? (
        <Calls routerId={router.id} url={endpoint.url} />
      ) : (
        <p className="text-sm text-muted">
          {t('The address and sample calls appear here once the endpoint is running.')}
        </p>
      )}
    </Card>
  )
}

function Calls({ routerId, url }: { routerId: string; url: string }) {
  const { samples, error } = useSampleCalls(routerId, url)
  if (error) return <ErrorNote error={error} />
  if (!samples) return <Skeleton>{t('Loading…')}</Skeleton>
  return (
    <>
      <Copyable label={t('Address')} what={t('router address')} text={samples.baseUrl} />
      <SampleCallTabs tools={samples.tools} />
      <p className="text-xs text-muted">
        {rich(
          'Replace {code} with a key from {keysLink}, or {connectLink}, which creates a key for it.',
          {
            code: <code className="font-mono">{placeholderKey}</code>,
            keysLink: (
              <Link to="/connect" search={{ show: 'keys' }} className="underline">
                {t('profile menu → Settings → API Keys')}
              </Link>
            ),
            connectLink: (
              <Link to="/connect" search={{ router: routerId }} className="underline">
                {t('connect another tool')}
              </Link>
            ),
          },
        )}
      </p>
    </>
  )
}

function Copyable({ label, what, text }: { label: string; what: string; text: string }) {
  return (
    <div className="flex items-center gap-3 text-sm">
      <span className="w-20 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 truncate font-mono text-xs">{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  )
}
