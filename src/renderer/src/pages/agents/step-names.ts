import {
  GitBranch,
  ListTree,
  MessageSquareText,
  Repeat,
  Scale,
  TextCursorInput,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import type { StepType } from './draft.ts'

/** How each type of step is called, and what it does in a line. */
export const stepNames: Record<StepType, { label: string; hint: string; icon: LucideIcon }> = {
  prompt: { label: 'Prompt', hint: 'Asks a model', icon: MessageSquareText },
  text: { label: 'Text', hint: 'Fills in a template, without a model', icon: TextCursorInput },
  branch: { label: 'Branch', hint: 'Takes the first way whose condition holds', icon: GitBranch },
  map: { label: 'Map', hint: 'Does the same for each item of a list', icon: ListTree },
  judge: { label: 'Judge', hint: 'Asks several times; a judge picks or merges', icon: Scale },
  loop: { label: 'Loop', hint: 'Repeats until a condition holds', icon: Repeat },
  agent: { label: 'Agent', hint: 'Calls another agent', icon: Workflow },
}
