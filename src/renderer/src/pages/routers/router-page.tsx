import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Gauge, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { StrategyName } from '../../../../shared/strategies.ts'
import type { Router, RouterInput } from '../../../../shared/entities.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Loaded, Page } from '../../components/page.tsx'
import { Sections } from '../../components/sections.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import { createRouter, removeRouter, updateRouter, useRouters } from '../../stores/routers.ts'
import { changeDraft } from '../../stores/tuning-draft.ts'
import { RouterForm } from './router-form.tsx'
import { RouterReplay } from './router-replay.tsx'
import { RouterRequests } from './router-requests.tsx'
import { RouterUse } from './router-use.tsx'

const fresh: RouterInput = { name: '', strategy: 'cost_optimized', models: [], tier: 'pro' }

/** The form for a new router. */
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

/** One router: its address, form, requests and replay. */
export function RouterPage() {
  const routerId = useUrlPart('routerId')
  const routers = useRouters()
  const router = routers.items?.find(({ id }) => id === routerId)
  if (router) return <ExistingRouter key={router.id} router={router} />
  return (
    <Page title="Router" actions={<BackLink />}>
      <Loaded list={routers} what="routers">
        {() => <p className="text-sm text-muted">This router no longer exists.</p>}
      </Loaded>
    </Page>
  )
}

function ExistingRouter({ router }: { router: Router }) {
  const navigate = useNavigate()
  const [isRemoving, setIsRemoving] = useState(false)
  const [shown, setShown] = useState<'Setup' | 'Requests' | 'What if?'>('Setup')
  const [strategy, setStrategy] = useState(router.strategy)
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null)

  function suggest(suggested: StrategyName): void {
    setShown('Setup')
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
          <Link
            to="/tune/new"
            onClick={() => changeDraft({ routerId: router.id })}
            className={buttonClass('plain')}
          >
            <Gauge size={14} aria-hidden /> Tune
          </Link>
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
            name: 'Setup',
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
          description="Calls to its address will return “404 router not found”. The costs of its requests stay in the ledger."
          action="Delete router"
          onConfirm={remove}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </Page>
  )
}

/** A suggested strategy. A new object each time, so that the same strategy can be suggested twice. */
interface Suggestion {
  strategy: StrategyName
}

interface SetUpProps {
  router: Router
  strategy: StrategyName
  onStrategyChange: (strategy: StrategyName) => void
  suggestion: Suggestion | null
}

/** The address and the form of the router. A suggested strategy is selected, not saved. */
function SetUp({ router, strategy, onStrategyChange, suggestion }: SetUpProps) {
  const [isSaved, setIsSaved] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The suggesting button is gone, so the focus moves to the selected strategy.
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
              ? 'The strategy is not saved yet'
              : isSaved
                ? 'Saved. Applies from the next request.'
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
