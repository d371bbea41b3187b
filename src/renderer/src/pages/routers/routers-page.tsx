import { Link } from '@tanstack/react-router'
import { Plus, Split } from 'lucide-react'
import { dailyLimitOf, type Router } from '../../../../shared/entities.ts'
import { formatBudget, formatCount } from '../../../../shared/format.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Card, EmptyState, Loaded, Page } from '../../components/page.tsx'
import { useRouters } from '../../stores/routers.ts'
import { strategyProfiles } from '../../../../shared/strategies.ts'

/** All routers with their models. */
export function RoutersPage() {
  const routers = useRouters()
  const create = (
    <Link to="/routers/new" className={buttonClass('primary')}>
      <Plus size={15} aria-hidden /> Create router
    </Link>
  )
  return (
    <Page
      title="Routers"
      intro="Each router has its own address and chooses one of its models for each request."
      actions={create}
    >
      <Loaded list={routers} what="routers">
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Split} title="No routers yet" action={create}>
              Create a router with at least one model, then copy its address into your program.
            </EmptyState>
          ) : (
            <ul className="flex flex-col gap-3">
              {items.map((router) => (
                <RouterRow key={router.id} router={router} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

/** The router's limits as text. */
function limitText(router: Router): string {
  const limit = dailyLimitOf(router)
  const { requestsPerMinute } = router
  return [
    limit === null ? 'no daily limit' : `${formatCount(limit)} requests per day`,
    ...(requestsPerMinute === null ? [] : [`${formatCount(requestsPerMinute)} per minute`]),
    formatBudget(router) ?? [],
  ]
    .flat()
    .join(' · ')
}

function RouterRow({ router }: { router: Router }) {
  return (
    <li aria-label={router.name}>
      <Card className="flex items-center gap-4">
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <div className="flex items-center gap-2">
            <Link
              to="/routers/$routerId"
              params={{ routerId: router.id }}
              className="truncate font-semibold hover:underline"
            >
              {router.name}
            </Link>
            <Badge>{strategyProfiles[router.strategy].label}</Badge>
            <span className="text-xs text-muted">
              {router.tier} · {limitText(router)}
            </span>
          </div>
          <p className="truncate text-sm text-muted">{router.models.join(', ')}</p>
          <div className="flex items-center gap-1 text-xs text-muted">
            <code className="font-mono">{router.id}</code>
            <CopyButton text={router.id} what={`id of ${router.name}`} />
          </div>
        </div>
        <Link
          to="/routers/$routerId"
          params={{ routerId: router.id }}
          aria-label={`Open ${router.name}`}
          className={buttonClass('plain')}
        >
          Open
        </Link>
      </Card>
    </li>
  )
}
