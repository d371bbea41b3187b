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
import { t } from '../../../../shared/strings/strings.ts'

/** The name and a one-line description of each step type. */
export const stepNames: Record<StepType, { label: string; hint: string; icon: LucideIcon }> = {
  prompt: { label: t('Prompt'), hint: t('Asks a model'), icon: MessageSquareText },
  text: {
    label: t('Text'),
    hint: t('Fills in a template, without a model'),
    icon: TextCursorInput,
  },
  branch: {
    label: t('Branch'),
    hint: t('Runs the first case whose condition is true'),
    icon: GitBranch,
  },
  map: { label: t('Map'), hint: t('Runs steps for each item of a list'), icon: ListTree },
  judge: {
    label: t('Judge'),
    hint: t('Compares several answers and picks or merges'),
    icon: Scale,
  },
  loop: { label: t('Loop'), hint: t('Repeats until a condition is true'), icon: Repeat },
  agent: { label: t('Agent'), hint: t('Calls another agent'), icon: Workflow },
}
