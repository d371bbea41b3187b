import { Skeleton } from '../../components/page.tsx'
import type { AppState } from '../../../../shared/app/app-state.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useApp } from '../../stores/app.ts'
import { BundleCard } from './bundle-card.tsx'
import { Places } from './places.tsx'
import { SecurityCard } from './security-card.tsx'
import { SettingCard } from './setting-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** The state of each part, and what to send with a question. */
export function DiagnosticsSection() {
  const app = useApp(({ state }) => state)
  if (app === null) return <Skeleton>{t('Loading…')}</Skeleton>
  const states = statesOf(app)
  return (
    <>
      <SettingCard title={t('State')}>
        <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-6 gap-y-2 text-sm">
          {states.map(({ name, tone, text, detail }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="flex min-w-0 flex-wrap items-center gap-2">
                <Badge tone={tone}>{text}</Badge>
                <span className="min-w-0 wrap-anywhere text-xs text-muted">{detail}</span>
              </dd>
            </div>
          ))}
        </dl>
      </SettingCard>
      <SecurityCard />
      <BundleCard />
      <SettingCard title={t('This installation')}>
        <Places places={[{ name: t('Data folder'), what: t('data folder'), path: app.dataDir }]} />
        <div className="flex items-center justify-between gap-3">
          <p className="text-sm text-muted">
            {rich('Version {version}', { version: app.version })}
          </p>
          <CopyButton label={t('Copy')} what={t('diagnostics')} text={reportOf(app)} />
        </div>
        <p className="text-xs text-muted">
          {t(
            'The copied text has versions and states: no key, no prompt and no answer. The log is the file logs/modelport.log in the data folder.',
          )}
        </p>
      </SettingCard>
    </>
  )
}

interface PartState {
  name: string
  tone: Tone
  text: string
  detail: string
}

const endpointTones = { starting: 'neutral', listening: 'ok', failed: 'bad' } as const

function statesOf({ endpoint, secrets, localModel }: AppState): PartState[] {
  const detail =
    endpoint.status === 'listening'
      ? endpoint.url
      : endpoint.status === 'failed'
        ? endpoint.message
        : ''
  return [
    { name: t('Endpoint'), tone: endpointTones[endpoint.status], text: endpoint.status, detail },
    {
      name: t('Keys'),
      tone: secrets.state === 'ready' ? 'ok' : 'bad',
      text: secrets.state,
      detail: secrets.message,
    },
    {
      name: t('Local model'),
      tone: localModel.status === 'failed' ? 'bad' : 'neutral',
      text: localModel.status,
      detail: localModel.status === 'failed' ? localModel.message : '',
    },
  ]
}

function reportOf(app: AppState): string {
  const states = statesOf(app).map(
    ({ name, text, detail }) => `${name}: ${text}${detail === '' ? '' : ` (${detail})`}`,
  )
  return [t('Modelport {version}', { version: app.version }), navigator.userAgent, ...states].join(
    '\n',
  )
}
