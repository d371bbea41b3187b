import { Link } from '@tanstack/react-router'
import { ListFilter, ScrollText } from 'lucide-react'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/page.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { SampleCallTabs } from '../../components/sample-calls.tsx'
import { useApp } from '../../stores/app.ts'
import { useRouters } from '../../stores/routers.ts'
import { useSampleCalls } from '../../stores/sample-calls.ts'
import { useSetSearch } from '../../usage/search.ts'
import { noFilter } from './filter-words.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** Shown when no request matches the filter. */
export function NoMatches() {
  const setSearch = useSetSearch()
  return (
    <EmptyState
      icon={ListFilter}
      title={t('No matching requests')}
      action={
        <Button onClick={() => setSearch({ ...noFilter, range: 'all' })}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('Remove a filter or choose a longer time.')}
    </EmptyState>
  )
}

/** Nothing to show, and no filter to remove: the request that would be the first row. */
export function NoRequests() {
  const endpoint = useApp(({ state }) => state?.endpoint)
  const router = useRouters((state) => state.items)?.[0]
  if (endpoint?.status !== 'listening' || router === undefined) {
    return (
      <EmptyState
        icon={ScrollText}
        title={t('No requests to show')}
        action={
          <Link to="/home" className={buttonClass('primary')}>
            {t('Finish setup')}
          </Link>
        }
      >
        {t('Each request to a router appears here with its model, cost and time.')}
      </EmptyState>
    )
  }
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <EmptyState
        icon={ScrollText}
        title={t('No requests to show')}
        action={
          <Link to="/chat" className={buttonClass('primary')}>
            {t('Send a message')}
          </Link>
        }
      >
        {rich(
          'Send a message in the chat, or call {name} from your own program with one of your keys. The request appears here.',
          { name: router.name },
        )}
      </EmptyState>
      <Calls routerId={router.id} url={endpoint.url} />
    </div>
  )
}

function Calls({ routerId, url }: { routerId: string; url: string }) {
  const { samples, error } = useSampleCalls(routerId, url)
  if (error) return <ErrorNote error={error} />
  return samples && <SampleCallTabs tools={samples.tools} />
}
