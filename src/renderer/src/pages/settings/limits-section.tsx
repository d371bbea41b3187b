import { Link } from '@tanstack/react-router'
import type { Settings } from '../../../../shared/settings.ts'
import { SettingCard } from './setting-card.tsx'
import { NumberSetting } from './setting-fields.tsx'

export function LimitsSection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingCard title="Requests">
        <NumberSetting
          settings={settings}
          name="bodyLimitMib"
          label="Largest request"
          unit="MiB"
          hint="Larger requests get the error 413."
        />
        <NumberSetting
          settings={settings}
          name="concurrentRequests"
          label="Requests in progress"
          hint="Further requests get the error 503 until one ends."
        />
        <NumberSetting
          settings={settings}
          name="concurrentRequestsPerKey"
          label="Requests in progress for each key"
        />
      </SettingCard>
      <SettingCard title="Budgets and daily limits">
        <p className="text-sm text-muted">
          Each <InlineLink to="/routers">router</InlineLink> and each{' '}
          <InlineLink to="/keys">key</InlineLink> has its own budget; routers also have a limit of
          requests per day.
        </p>
      </SettingCard>
    </>
  )
}

function InlineLink({ to, children }: { to: '/routers' | '/keys'; children: string }) {
  return (
    <Link to={to} className="text-accent underline underline-offset-2">
      {children}
    </Link>
  )
}
