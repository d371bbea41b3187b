import type { ReactNode } from 'react'
import type { Settings } from '../../../../shared/app/settings.ts'
import { ConnectionsCard } from './connections-card.tsx'
import { SettingsCard } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function PrivacySection({ settings }: { settings: Settings }) {
  return (
    <>
      <ConnectionsCard settings={settings} />
      <SettingsCard
        card="retention"
        settings={settings}
        intro={
          <Intro>
            {t(
              'Everything stays on this computer. Records of requests contain figures; a router stores texts only if you turn it on there. Totals per day are kept forever.',
            )}
          </Intro>
        }
      />
      <SettingsCard
        card="learning"
        settings={settings}
        intro={
          <Intro>
            {t(
              'Routers with the strategy “adaptive” learn a little from each of these, without your rating. For this, Modelport stores sums by model and kind of prompt, never a prompt or an answer.',
            )}
          </Intro>
        }
      />
    </>
  )
}

function Intro({ children }: { children: ReactNode }) {
  return <p className="text-sm text-muted">{children}</p>
}
