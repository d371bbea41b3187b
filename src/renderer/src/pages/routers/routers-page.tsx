import { Link } from '@tanstack/react-router'
import { Coins, Gauge, Leaf, Plus, Scale, Split, type LucideIcon } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { useOpenTab } from '../../components/page-tabs.tsx'
import { useRouters } from '../../stores/routers.ts'
import { AgentList } from '../agents/agent-list.tsx'
import { RunsOfDeletedRouters } from '../tune/router-runs.tsx'
import { CallableTabs } from './callable-tabs.tsx'
import { routerPresets } from './router-presets.ts'
import { RouterTable } from './router-table.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** What programs call as a model: routers, and agents in a view of their own. */
export function RoutersPage() {
  const view = useOpenTab('view', ['routers', 'agents'])
  return view === 'agents' ? <AgentList /> : <RouterList />
}

/** All routers with their figures. */
function RouterList() {
  const routers = useRouters()
  return (
    <Page
      title={t('Routers')}
      width="wide"
      intro={t('Each router has its own address and chooses one of its models for each request.')}
      actions={
        // The empty list has its own choice.
        routers.items?.length !== 0 && (
          <Link to="/routers/new" className={buttonClass('primary')}>
            <Plus size={15} aria-hidden /> {t('Create router')}
          </Link>
        )
      }
    >
      <CallableTabs open="routers" />
      <Loaded list={routers} what={t('routers')}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              icon={Split}
              title={t('Create your first router')}
              action={<Presets label={t('Create your first router')} />}
            >
              {t('Choose what matters most. You can change everything before and after.')}
            </EmptyState>
          ) : (
            <>
              <RouterTable routers={items} />
              <section className="flex flex-col gap-2">
                <h2 className="text-sm font-medium">{t('New router from a preset')}</h2>
                <Presets label={t('New router from a preset')} />
              </section>
              <RunsOfDeletedRouters routers={items} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const presetIcons: Record<string, LucideIcon> = {
  balanced: Scale,
  cheapest: Coins,
  fastest: Gauge,
  greenest: Leaf,
}

function Presets({ label }: { label: string }) {
  return (
    <ul
      aria-label={label}
      className="grid w-full grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-3 text-left"
    >
      {routerPresets.map(({ id, name, purpose }) => {
        const Icon = presetIcons[id] ?? Split
        return (
          <li key={id}>
            <Link
              to="/routers/new"
              search={{ preset: id }}
              className="flex h-full items-start gap-3 rounded-lg border border-line bg-surface px-3.5 py-3 hover:bg-hover"
            >
              <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
              <span className="flex flex-col">
                <span className="text-sm font-medium">{name}</span>
                <span className="text-xs text-muted">{purpose}</span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
