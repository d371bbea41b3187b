import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { settings as descriptions, type Settings } from '../../../../shared/settings.ts'
import type { AppState, EndpointState } from '../../../../shared/app-state.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { Card, Page } from '../../components/page.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { useAction } from '../../components/use-action.ts'
import { listenOn, useApp } from '../../stores/app.ts'
import { saveSetting, useSettings } from '../../stores/settings.ts'
import { CatalogSection } from './catalog-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { OutboundProxy } from './outbound-proxy.tsx'
import { RequestSettings } from './request-settings.tsx'
import { SignalSettings } from './signal-settings.tsx'
import { StartupSection } from './startup-section.tsx'
import { WebOrigins } from './web-origins.tsx'

/** All settings that have a control in the window. */
export function SettingsPage() {
  const { settings, error, load } = useSettings()
  const app = useApp((state) => state.state)
  return (
    <Page title="Settings">
      {error && (
        <ErrorNote error={error}>
          <Button size="small" onClick={() => void load()}>
            Try again
          </Button>
        </ErrorNote>
      )}
      {!settings && !error && <p className="text-sm text-muted">Loading settings…</p>}
      {settings && (
        <Section title="General">
          <StartupSection keepInTray={settings.keepInTray} />
        </Section>
      )}
      {settings && (
        <Section title="Notifications">
          <NotificationsSection settings={settings} />
        </Section>
      )}
      {settings && <Appearance theme={settings.theme} />}
      {settings && app && (
        <Endpoint key={settings.port} port={settings.port} endpoint={app.endpoint} />
      )}
      {settings && app && (
        <Section title="Web pages">
          <WebOrigins allowed={settings.allowedOrigins} refused={app.refusedOrigins} />
        </Section>
      )}
      {settings && (
        <Section title="Network">
          <OutboundProxy key={settings.outboundProxy} proxy={settings.outboundProxy} />
        </Section>
      )}
      {settings && (
        <Section title="Requests">
          <RequestSettings
            durability={settings.durability}
            fastLane={settings.fastLane}
            promptCaching={settings.promptCaching}
          />
        </Section>
      )}
      {settings && (
        <Section title="What answers show by themselves">
          <SignalSettings settings={settings} />
        </Section>
      )}
      <Section title="Prices and models">
        <CatalogSection />
      </Section>
      <Section title="API keys">
        <div className="flex items-center justify-between gap-4">
          <p className="text-sm text-muted">Create and revoke keys for your programs.</p>
          <Link to="/keys" className={buttonClass('plain')}>
            Manage API keys
          </Link>
        </div>
      </Section>
      {app && <About app={app} />}
    </Page>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Card className="flex flex-col gap-3">
        <h2 className="font-semibold">{title}</h2>
        {children}
      </Card>
    </section>
  )
}

const themes: readonly { value: Settings['theme']; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function Appearance({ theme }: { theme: Settings['theme'] }) {
  const { run, error } = useAction((chosen: Settings['theme']) => saveSetting('theme', chosen))
  return (
    <Section title="Appearance">
      <RadioCards label="Theme" choices={themes} value={theme} onChange={run} />
      {error && <ErrorNote error={error} />}
    </Section>
  )
}

const endpointBadges = {
  starting: { tone: 'neutral', text: 'starting' },
  listening: { tone: 'ok', text: 'running' },
  failed: { tone: 'bad', text: 'not running' },
} as const

function Endpoint({ port, endpoint }: { port: number; endpoint: EndpointState }) {
  const [text, setText] = useState(String(port))
  const { run, isRunning, error } = useAction(listenOn)
  const badge = endpointBadges[endpoint.status]
  return (
    <Section title="Endpoint">
      <div className="flex items-center gap-2">
        <Badge tone={badge.tone}>{badge.text}</Badge>
        {endpoint.status === 'listening' && (
          <>
            <code className="font-mono text-xs">{endpoint.url}</code>
            <CopyButton text={endpoint.url} what="endpoint address" />
          </>
        )}
      </div>
      <form
        className="flex items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          run(readNumber(text) ?? Number.NaN)
        }}
      >
        <div className="w-72">
          <NumberField
            label="Port"
            hint={descriptions.port.label}
            isWhole
            value={text}
            error={error?.message}
            onChange={setText}
          />
        </div>
        <Button type="submit" className="mt-6" disabled={isRunning || text === String(port)}>
          Change port
        </Button>
      </form>
      {endpoint.status === 'listening' && (
        <Places
          places={[
            ['Certificate authority', endpoint.caFile],
            ['Certificate bundle with system roots', endpoint.caBundleFile],
          ]}
        />
      )}
    </Section>
  )
}

function About({ app }: { app: AppState }) {
  return (
    <Section title="This installation">
      <Places places={[['Data folder', app.dataDir]]} />
      <p className="text-sm text-muted">Version {app.version}</p>
    </Section>
  )
}

function Places({ places }: { places: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1 text-sm">
      {places.map(([name, path]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono text-xs">{path}</code>
            <CopyButton text={path} what={name.toLowerCase()} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
