import { Menu } from '@base-ui/react/menu'
import { ArrowDown, ArrowUp, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { useContext } from 'react'
import { Badge } from '../../components/badge.tsx'
import { buttonClass, IconButton } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import { stepTypes, type DraftGraph, type DraftStep, type StepType } from './draft.ts'
import { addCase, addStep, moveStep, removeStep } from './edit-definition.ts'
import { AddCase, StepFields } from './step-fields.tsx'
import { stepNames } from './step-names.ts'
import { elementId, issueOf, issuesWithin, focusLater, isWithin, useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The steps of one graph. The open step shows its fields and inner steps. */
export function StepList({ graph }: { graph: DraftGraph }) {
  const editor = useEditor()
  const error = issueOf(editor, graph.path)
  return (
    <div className="flex flex-col gap-2">
      {graph.steps.length > 0 && (
        <ol
          aria-label={graph.label === '' ? t('Steps') : t('Steps: {label}', { label: graph.label })}
          className="flex flex-col gap-2"
        >
          {graph.steps.map((step, index) => (
            <StepItem key={index} step={step} graph={graph} />
          ))}
        </ol>
      )}
      {error && (
        <p role="alert" className="text-xs text-bad first-letter:uppercase">
          {error}
        </p>
      )}
      <AddStep graph={graph} />
    </div>
  )
}

function StepItem({ step, graph }: { step: DraftStep; graph: DraftGraph }) {
  const editor = useEditor()
  const { path, id, type } = step
  const isOpen = isWithin(editor.selected, path)
  const place = Number(path.at(-1))
  const name = id === '' ? t('step {number}', { number: place + 1 }) : id
  const issues = issuesWithin(editor, path)
  const { label, icon: Icon } = type === null ? unknownType : stepNames[type]
  return (
    <li
      aria-label={name}
      className={`rounded-lg border bg-surface ${isOpen ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex items-center gap-1 pr-1.5">
        <button
          type="button"
          id={elementId('head', path)}
          aria-expanded={isOpen}
          onClick={() => editor.select(isOpen ? path.slice(0, -2) : path)}
          className="flex h-10 min-w-0 flex-1 items-center gap-2 rounded-lg px-2.5 text-left text-sm"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={`shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
          />
          <Icon size={15} aria-hidden className="shrink-0 text-accent" />
          <span className="truncate font-mono text-xs font-medium">{name}</span>
          <span className="text-xs text-muted">{label}</span>
          {issues > 0 && (
            <Badge tone="bad">
              {t('{count, plural, one {1 error} other {# errors}}', { count: issues })}
            </Badge>
          )}
        </button>
        <StepActions step={step} graph={graph} name={name} />
      </div>
      {isOpen && (
        <div className="flex flex-col gap-4 border-t border-line p-3">
          <StepFields step={step} graph={graph} />
          <InnerSteps step={step} />
        </div>
      )}
    </li>
  )
}

const unknownType = { label: t('Unknown type'), icon: ChevronRight }

function StepActions({
  step: { path },
  graph,
  name,
}: {
  step: DraftStep
  graph: DraftGraph
  name: string
}) {
  const editor = useEditor()
  const place = Number(path.at(-1))
  const isLast = place === graph.steps.length - 1
  function move(by: -1 | 1): void {
    const moved = moveStep(editor.source, path, by)
    editor.setSource(moved.source)
    if (isWithin(editor.selected, path)) editor.select(moved.path)
    const there = Number(moved.path.at(-1))
    const isAtEnd = by === -1 ? there === 0 : there === graph.steps.length - 1
    const isUp = isAtEnd ? by === 1 : by === -1
    focusLater(elementId(isUp ? 'up' : 'down', moved.path))
  }
  function remove(): void {
    editor.setSource(removeStep(editor.source, path))
    editor.select(graph.path.slice(0, -1))
    const next = [...graph.path, Math.min(place, graph.steps.length - 2)]
    focusLater(graph.steps.length > 1 ? elementId('head', next) : elementId('add', graph.path))
  }
  return (
    <>
      <IconButton
        id={elementId('up', path)}
        label={t('Move {name} up', { name })}
        disabled={place === 0}
        onClick={() => move(-1)}
      >
        <ArrowUp size={14} aria-hidden />
      </IconButton>
      <IconButton
        id={elementId('down', path)}
        label={t('Move {name} down', { name })}
        disabled={isLast}
        onClick={() => move(1)}
      >
        <ArrowDown size={14} aria-hidden />
      </IconButton>
      <IconButton label={t('Delete {name}', { name })} onClick={remove}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </>
  )
}

/** The inner graphs of a step. */
function InnerSteps({ step }: { step: DraftStep }) {
  const editor = useEditor()
  return (
    <>
      {step.graphs.map((graph) => (
        <section
          key={graph.path.join('.')}
          className="flex flex-col gap-2 border-l-2 border-accent-soft pl-3"
        >
          <h3 className="truncate text-xs font-semibold text-muted">{graph.label}</h3>
          <StepList graph={graph} />
        </section>
      ))}
      {step.type === 'branch' && (
        <div>
          <AddCase onAdd={() => editor.setSource(addCase(editor.source, step.path))} />
        </div>
      )}
    </>
  )
}

function AddStep({ graph }: { graph: DraftGraph }) {
  const editor = useEditor()
  function add(type: StepType): void {
    const added = addStep(editor.source, graph.path, type)
    editor.setSource(added.source)
    editor.select(added.path)
    focusLater(elementId('first', added.path))
  }
  return (
    <Menu.Root>
      <Menu.Trigger
        id={elementId('add', graph.path)}
        className={`${buttonClass('plain', 'small')} self-start`}
      >
        <Plus size={13} aria-hidden /> {t('Add step')}
      </Menu.Trigger>
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner align="start" sideOffset={4} className="z-20">
          <Menu.Popup
            // The added step takes the focus, not the button.
            finalFocus={false}
            className="min-w-60 rounded-lg border border-line bg-raised p-1 shadow-lg"
          >
            {stepTypes.map((type) => {
              const { label, hint, icon: Icon } = stepNames[type]
              return (
                <Menu.Item
                  key={type}
                  label={label}
                  onClick={() => add(type)}
                  className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm data-highlighted:bg-hover"
                >
                  <Icon size={15} aria-hidden className="text-accent" />
                  <span className="flex flex-col">
                    {label}
                    <span className="text-xs text-muted">{hint}</span>
                  </span>
                </Menu.Item>
              )
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
