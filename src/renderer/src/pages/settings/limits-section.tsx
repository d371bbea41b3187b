import { Link } from '@tanstack/react-router'
import type { Settings } from '../../../../shared/app/settings.ts'
import { SettingCard } from './setting-card.tsx'
import { SettingsCard } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

export function LimitsSection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingsCard card="requestLimits" settings={settings} />
      <SettingCard title={t('Budgets and daily limits')}>
        <p className="text-sm text-muted">
          {rich(
            'Each {routerLink} and each {keyLink} has its own budget; routers also have a limit of requests per day.',
            {
              routerLink: <InlineLink to="/routers">{t('router')}</InlineLink>,
              keyLink: <InlineLink to="/connect">{t('key')}</InlineLink>,
            },
          )}
        </p>
      </SettingCard>
    </>
  )
}

function InlineLink({ to, children }: { to: '/routers' | '/connect'; children: string }) {
  return (
    <Link to={to} className="text-accent underline underline-offset-2">
      {children}
    </Link>
  )
}
