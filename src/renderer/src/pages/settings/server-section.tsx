import { useState } from 'react'
import type { AppState, EndpointState } from '../../../../shared/app/app-state.ts'
import { settingCards } from '../../../../shared/app/settings-sections.ts'
import { settings as fields, type Settings } from '../../../../shared/app/settings.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { listenHttpOn, listenOn, setPaused, useApp } from '../../stores/app.ts'
import { saveSetting } from '../../stores/settings.ts'
import { ListSetting } from './list-setting.tsx'
import { OutboundProxy } from './outbound-proxy.tsx'
import { Places } from './places.tsx'
import { SettingCard } from './setting-card.tsx'
import { SettingsCard } from './setting-fields.tsx'
import { TrustCard } from './trust-card.tsx'
import { WebOrigins } from './web-origins.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function ServerSection({ settings }: { settings: Settings }) {
  const app = useApp((state) => state.state)
  return (
    <>
      {app && <EndpointCard settings={settings} app={app} />}
      <TrustCard />
      <SettingCard title={settingCards.hosts}>
        <p className="text-sm text-muted">
          {t(
            'The endpoint answers requests to localhost and to these host names, such as the name of a container. A new name makes a new certificate, which tools have to trust again.',
          )}
        </p>
        <ListSetting
          label={fields.allowedHosts.label}
          hint={fields.allowedHosts.hint}
          placeholder="host.docker.internal"
          values={settings.allowedHosts}
          save={(hosts) => saveSetting('allowedHosts', hosts)}
        />
      </SettingCard>
      {app && (
        <SettingCard title={settingCards.webPages}>
          <WebOrigins allowed={settings.allowedOrigins} refused={app.refusedOrigins} />
        </SettingCard>
      )}
      <SettingCard title={settingCards.network}>
        <OutboundProxy key={settings.outboundProxy} proxy={settings.outboundProxy} />
      </SettingCard>
      <SettingsCard card="requests" settings={settings} />
    </>
  )
}

const endpointBadges = {
  starting: { tone: 'neutral', text: t('starting') },
  listening: { tone: 'ok', text: t('running') },
  failed: { tone: 'bad', text: t('not running') },
  paused: { tone: 'neutral', text: t('paused') },
} as const

interface EndpointCardProps {
  settings: Settings
  app: AppState
}

function EndpointCard({ settings, app: { endpoint, isPaused } }: EndpointCardProps) {
  const badge = isPaused ? endpointBadges.paused : endpointBadges[endpoint.status]
  const pause = useAction(setPaused)
  return (
    <SettingCard title={settingCards.endpoint}>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={badge.tone}>{badge.text}</Badge>
        {endpoint.status === 'listening' && (
          <>
            <code className="font-mono text-xs">{endpoint.url}</code>
            <CopyButton text={endpoint.url} what={t('endpoint address')} />
            <Button
              size="small"
              className="ml-auto"
              disabled={pause.isRunning}
              onClick={() => pause.run(!isPaused)}
            >
              {isPaused ? t('Resume serving') : t('Pause serving')}
            </Button>
          </>
        )}
      </div>
      <PortForm
        key={`https ${settings.port}`}
        field={fields.port}
        action={t('Change port')}
        port={settings.port}
        listen={(port) => listenOn(port ?? Number.NaN)}
      />
      <PortForm
        key={`http ${settings.httpPort}`}
        field={fields.httpPort}
        action={t('Change HTTP port')}
        port={settings.httpPort}
        listen={listenHttpOn}
      />
      {endpoint.status === 'listening' && <Certificates endpoint={endpoint} />}
    </SettingCard>
  )
}

interface PortFormProps {
  field: { label: string; hint: string }
  action: string
  port: number | null
  listen: (port: number | null) => Promise<void>
}

function PortForm({ field, action, port, listen }: PortFormProps) {
  const saved = port?.toString() ?? ''
  const [text, setText] = useState(saved)
  const { run, isRunning, error } = useAction(listen)
  return (
    <Form className="flex items-start gap-3" onSubmit={() => run(readNumber(text))}>
      <div className="w-72 min-w-0">
        <NumberField
          label={field.label}
          hint={field.hint}
          isWhole
          value={text}
          error={error?.message}
          onChange={setText}
        />
      </div>
      <Button type="submit" className="mt-6" disabled={isRunning || text.trim() === saved}>
        {action}
      </Button>
    </Form>
  )
}

function Certificates({ endpoint }: { endpoint: Extract<EndpointState, { status: 'listening' }> }) {
  return (
    <Places
      places={[
        {
          name: t('Certificate authority'),
          what: t('certificate authority'),
          path: endpoint.caFile,
        },
        {
          name: t('Certificate bundle with system roots'),
          what: t('certificate bundle with system roots'),
          path: endpoint.caBundleFile,
        },
      ]}
    />
  )
}
