import { Link } from '@tanstack/react-router'
import type { Settings } from '../../../../shared/app/settings.ts'
import { SettingCard } from './setting-card.tsx'
import { NumberSetting } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

export function LimitsSection({ settings }: { settings: Settings }) {
  return (
    <>
      <SettingCard title={t('Requests')}>
        <NumberSetting
          settings={settings}
          name="bodyLimitMib"
          label={t('Largest request')}
          unit={t('MiB')}
          hint={t('Larger requests get the error 413.')}
        />
        <NumberSetting
          settings={settings}
          name="concurrentRequests"
          label={t('Requests in progress')}
          hint={t('Further requests get the error 503 until one ends.')}
        />
        <NumberSetting
          settings={settings}
          name="concurrentRequestsPerKey"
          label={t('Requests in progress for each key')}
        />
      </SettingCard>
      <SettingCard title={t('Budgets and daily limits')}>
        <p className="text-sm text-muted">
          {rich(
            'Each {routerLink} and each {keyLink} has its own budget; routers also have a limit of requests per day.',
            {
              routerLink: <InlineLink to="/routers">{t('router')}</InlineLink>,
              keyLink: <InlineLink to="/keys">{t('key')}</InlineLink>,
            },
          )}
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
