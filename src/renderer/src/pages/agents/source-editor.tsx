import { Menu } from '@base-ui/react/menu'
import { Plus, Redo2, Search, Undo2, WrapText } from 'lucide-react'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { buttonClass, IconButton } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import { useAgents } from '../../stores/agents.ts'
import { useModels } from '../../stores/models.ts'
import { useRouters } from '../../stores/routers.ts'
import { shortcutText } from '../../../../shared/app/shortcuts.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { platform } from '../../shell/platform.ts'
import { readDraft, stepTypes, type StepType } from './draft.ts'
import { stepNames } from './step-names.ts'
import { stepInsertion } from './step-templates.ts'
import type { Names } from './suggestions.ts'
import { createTextEditor, type TextState } from './text-editor.ts'
import { useEditor } from './use-editor.ts'

/** The definition as text, with its tools. */
export function SourceEditor() {
  const { source, issues, isChecked, text } = useEditor()
  const hintId = useId()
  const { place, state } = useTextEditor(hintId)
  const [isWrapped, setWrapped] = useState(true)
  useEffect(() => text?.setWrapped(isWrapped), [text, isWrapped])
  const draft = readDraft(source)
  const insert = (type: StepType) => {
    if (!draft) return
    const insertion = stepInsertion(source, draft, { type, caret: state.caret })
    // The text takes the focus once the menu is closed.
    requestAnimationFrame(() => text?.insert(insertion))
  }
  return (
    <div className="flex h-full flex-col">
      <div
        role="toolbar"
        aria-label={t('Text')}
        className="flex items-center gap-0.5 border-b border-line px-3 py-1"
      >
        <InsertStep onInsert={insert} isDisabled={draft === null} />
        <Tool label={t('Undo')} icon={Undo2} isDisabled={!state.canUndo} onClick={text?.undo} />
        <Tool label={t('Redo')} icon={Redo2} isDisabled={!state.canRedo} onClick={text?.redo} />
        <Tool label={t('Find')} icon={Search} onClick={text?.find} />
        <IconButton
          label={t('Wrap lines')}
          aria-pressed={isWrapped}
          className={isWrapped ? 'text-accent' : ''}
          onClick={() => setWrapped(!isWrapped)}
        >
          <WrapText size={15} aria-hidden />
        </IconButton>
        {isChecked && issues.length === 0 && (
          <p className="ml-auto text-xs text-ok">{t('No problems')}</p>
        )}
      </div>
      <div ref={place} className="min-h-0 flex-1" />
      <p id={hintId} className="border-t border-line px-3 py-1.5 text-xs text-muted">
        {t(
          '{suggest} shows suggestions, {save} saves. To leave the text, press Escape, then Tab.',
          {
            suggest: 'Ctrl+Space',
            save: shortcutText('Mod+S', platform),
          },
        )}
      </p>
    </div>
  )
}

const untouched: TextState = { caret: 0, canUndo: false, canRedo: false }

/** Creates the text editor in `place`, and keeps its text and errors up to date. */
function useTextEditor(hintId: string) {
  const { source, setSource, setCaret, issues, text, setText } = useEditor()
  const place = useRef<HTMLDivElement>(null)
  const first = useRef(source)
  const [state, setState] = useState(untouched)
  useEffect(() => {
    if (!place.current) return
    const created = createTextEditor(place.current, {
      text: first.current,
      hintId,
      names: namesNow,
      onText: setSource,
      onState: (now) => {
        setState(now)
        setCaret(now.caret)
      },
    })
    setText(created)
    return () => {
      setText(null)
      created.destroy()
    }
  }, [hintId, setSource, setCaret, setText])
  // Before the next keystroke, which an older text would undo.
  useLayoutEffect(() => text?.setText(source), [text, source])
  useEffect(() => text?.setIssues(issues), [text, issues])
  return { place, state }
}

function namesNow(): Names {
  return {
    routers: useRouters.getState().items ?? [],
    models: (useModels.getState().items ?? []).map(({ id }) => id),
    agents: (useAgents.getState().items ?? []).map(({ name }) => name),
  }
}

interface ToolProps {
  label: string
  icon: typeof Undo2
  isDisabled?: boolean
  onClick: (() => void) | undefined
}

function Tool({ label, icon: Icon, isDisabled = false, onClick }: ToolProps) {
  return (
    <IconButton label={label} disabled={isDisabled} onClick={onClick}>
      <Icon size={15} aria-hidden />
    </IconButton>
  )
}

interface InsertStepProps {
  isDisabled: boolean
  onInsert: (type: StepType) => void
}

/** Inserts a working step of a type. */
function InsertStep({ isDisabled, onInsert }: InsertStepProps) {
  return (
    <Menu.Root>
      <Menu.Trigger disabled={isDisabled} className={buttonClass('plain', 'small')}>
        <Plus size={13} aria-hidden /> {t('Insert step')}
      </Menu.Trigger>
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner align="start" sideOffset={4} className="z-20">
          <Menu.Popup
            // The text takes the focus, not the button.
            finalFocus={false}
            className="min-w-60 rounded-lg border border-line bg-raised p-1 shadow-lg"
          >
            {stepTypes.map((type) => {
              const { label, hint, icon: Icon } = stepNames[type]
              return (
                <Menu.Item
                  key={type}
                  label={label}
                  onClick={() => onInsert(type)}
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
