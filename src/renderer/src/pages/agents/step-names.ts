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

/** The name and a one-line description of each step type. */
export const stepNames: Record<StepType, { label: string; hint: string; icon: LucideIcon }> = {
  prompt: { label: 'Prompt', hint: 'Asks a model', icon: MessageSquareText },
  text: { label: 'Text', hint: 'Fills in a template, without a model', icon: TextCursorInput },
  branch: { label: 'Branch', hint: 'Runs the first case whose condition is true', icon: GitBranch },
  map: { label: 'Map', hint: 'Runs steps for each item of a list', icon: ListTree },
  judge: { label: 'Judge', hint: 'Compares several answers and picks or merges', icon: Scale },
  loop: { label: 'Loop', hint: 'Repeats until a condition is true', icon: Repeat },
  agent: { label: 'Agent', hint: 'Calls another agent', icon: Workflow },
}
