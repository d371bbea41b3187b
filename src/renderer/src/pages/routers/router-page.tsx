import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { StrategyName } from '../../../../shared/strategies.ts'
import type { Router, RouterInput } from '../../../../shared/entities.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Loaded, Page } from '../../components/page.tsx'
import { Sections } from '../../components/sections.tsx'
import { createRouter, removeRouter, updateRouter, useRouters } from '../../stores/routers.ts'
import { RouterForm } from './router-form.tsx'
import { RouterReplay } from './router-replay.tsx'
import { RouterRequests } from './router-requests.tsx'
import { RouterUse } from './router-use.tsx'

const fresh: RouterInput = { name: '', strategy: 'cost_optimized', models: [], tier: 'pro' }

/** The form of a router that does not exist yet. */
export function NewRouterPage() {
  const navigate = useNavigate()
  const [strategy, setStrategy] = useState(fresh.strategy)
  async function create(router: RouterInput): Promise<void> {
    const { id } = await createRouter(router)
    await navigate({ to: '/routers/$routerId', params: { routerId: id } })
  }
  return (
    <Page title="New router" actions={<BackLink />}>
      <RouterForm
        initial={fresh}
        strategy={strategy}
        onStrategyChange={setStrategy}
        action="Create router"
        onSave={create}
      />
    </Page>
  )
}

/** One router: how to use it, and its form. */
export function RouterPage() {
  const routerId = useRouterId()
  const routers = useRouters()
  const router = routers.items?.find(({ id }) => id === routerId)
  if (router) return <ExistingRouter key={router.id} router={router} />
  return (
    <Page title="Router" actions={<BackLink />}>
      <Loaded list={routers} what="routers">
        {() => <p className="text-sm text-muted">This router does not exist any more.</p>}
      </Loaded>
    </Page>
  )
}

/** The router's id in the address: typed `any` by the routing library, and so checked here. */
function useRouterId(): string | null {
  const params: unknown = useParams({ strict: false })
  const isGiven = typeof params === 'object' && params !== null && 'routerId' in params
  return isGiven && typeof params.routerId === 'string' ? params.routerId : null
}

function ExistingRouter({ router }: { router: Router }) {
  const navigate = useNavigate()
  const [isRemoving, setIsRemoving] = useState(false)
  const [shown, setShown] = useState<'Set-up' | 'Requests' | 'What if?'>('Set-up')
  const [strategy, setStrategy] = useState(router.strategy)
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null)

  function suggest(suggested: StrategyName): void {
    setShown('Set-up')
    setStrategy(suggested)
    setSuggestion({ strategy: suggested })
  }
  async function remove(): Promise<void> {
    await removeRouter(router.id)
    await navigate({ to: '/routers' })
  }
  return (
    <Page
      title={router.name}
      actions={
        <>
          <BackLink />
          <Button onClick={() => setIsRemoving(true)}>
            <Trash2 size={14} aria-hidden /> Delete router
          </Button>
        </>
      }
    >
      <Sections
        shown={shown}
        onShow={setShown}
        sections={[
          {
            name: 'Set-up',
            content: <SetUp {...{ router, strategy, suggestion }} onStrategyChange={setStrategy} />,
            isKept: true,
          },
          { name: 'Requests', content: <RouterRequests router={router} /> },
          { name: 'What if?', content: <RouterReplay router={router} onUse={suggest} /> },
        ]}
      />
      {isRemoving && (
        <ConfirmDialog
          title={`Delete ${router.name}?`}
          description="Programs that call its address get “404 router not found” from then on. What its requests cost stays in the ledger."
          action="Delete router"
          onConfirm={remove}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </Page>
  )
}

/** A strategy to try, each time anew. */
interface Suggestion {
  strategy: StrategyName
}

interface SetUpProps {
  router: Router
  strategy: StrategyName
  onStrategyChange: (strategy: StrategyName) => void
  suggestion: Suggestion | null
}

/** How to use the router, and its form, where a suggested strategy waits to be saved. */
function SetUp({ router, strategy, onStrategyChange, suggestion }: SetUpProps) {
  const [isSaved, setIsSaved] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that suggested it is gone: the focus goes where the change is.
    const choice = suggestion && `input[value="${suggestion.strategy}"]`
    if (choice !== null) form.current?.querySelector<HTMLElement>(choice)?.focus()
  }, [suggestion])

  async function save(input: RouterInput): Promise<void> {
    setIsSaved(false)
    await updateRouter(router.id, input)
    setIsSaved(true)
  }
  const { id: _id, createdAtMs: _created, updatedAtMs: _updated, ...initial } = router
  const isNew = strategy !== router.strategy
  return (
    <>
      <RouterUse router={router} />
      <div ref={form}>
        <RouterForm
          initial={initial}
          strategy={strategy}
          onStrategyChange={onStrategyChange}
          action="Save changes"
          onSave={save}
          status={
            isNew
              ? 'The strategy is not saved yet.'
              : isSaved
                ? 'Saved. The next request follows it.'
                : ''
          }
        />
      </div>
    </>
  )
}

function BackLink() {
  return (
    <Link to="/routers" className={buttonClass('quiet')}>
      <ArrowLeft size={14} aria-hidden /> All routers
    </Link>
  )
}
