/** The settings of a router for sessions of coding agents, as `router-fields.ts` has them. */
import { t } from '../strings/strings.ts'

export const sessionFields = {
  'routing.subagents': {
    kind: 'targets',
    label: t('Subagents of coding agents'),
    option: '--subagents <Explore=model,default=router_…|off>',
    help: 'coding agents: the router or model of each type of subagent; default is for all other types; off removes all',
    heading: 'SUBAGENTS',
  },
  'routing.escalateWhenStuck': {
    kind: 'switch',
    label: t('Strongest model when a coding agent is stuck'),
    hint: t(
      'Once a turn, after 15 edits or 50 steps. The session’s page shows the mark that did it.',
    ),
    option: '--[no-]escalate-when-stuck',
    help: 'coding agents: give a turn the strongest model after 15 edits or 50 steps, once (default)',
    helpOff: 'leave a stuck turn with its model',
    heading: 'WHEN STUCK',
  },
  'routing.checkCommand': {
    kind: 'text',
    label: t('Start cheap until this command fails'),
    hint: t(
      'Coding agents begin each turn with the cheapest model. When this command fails after an edit, the strongest takes the rest of the turn. Leave empty to turn off.',
    ),
    placeholder: 'npm test',
    option: '--check-command <command|none>',
    help: 'coding agents: begin with the cheapest model, and go up for the rest of the turn when this command fails after an edit',
    heading: 'CHECK COMMAND',
  },
  'routing.stepDown': {
    kind: 'switch',
    label: t('Cheaper model for steps that only read'),
    hint: t(
      'Within a coding agent’s turn, and only where prices say that it saves more than filling another cache. Between models whose prices are two times apart it never does. Nobody has proven the quality.',
    ),
    option: '--[no-]step-down',
    help: 'coding agents: send steps that only read to a cheaper model where that saves more than it costs',
    helpOff: 'stay with the turn’s model (default)',
    heading: 'STEP DOWN',
  },
  'routing.experiments.gate': {
    kind: 'switch',
    label: t('Experiment: a cheaper model reads, the session’s own edits'),
    hint: t(
      'Within a coding agent’s turn, a cheaper model is asked first. Its answer is held back, and used only if it reads or checks; else the session’s own model is asked, and you pay for both. It turns itself off for models that need more than 1.5 steps for one.',
    ),
    option: '--[no-]gate',
    help: 'experiment, coding agents: ask a cheaper model first, and the session’s own when that answer does more than read',
    helpOff: 'ask the session’s own model only (default)',
    heading: 'GATE',
  },
  'routing.split': {
    kind: 'switch',
    label: t('Half of the sessions without these rules'),
    hint: t(
      'A session has the rules from its first step to its last, or never. Activity › Sessions compares both halves.',
    ),
    option: '--[no-]split',
    help: 'coding agents: leave the rules of sessions away in half of the sessions, to compare both halves',
    helpOff: 'apply the rules in all sessions (default)',
    heading: 'SPLIT',
  },
  'routing.shadowSteps.share': {
    kind: 'share',
    label: t('Share of steps'),
    unit: '%',
    option: '--shadow-steps <share|off>',
    help: 'coding agents: also ask another model this share of steps and compare what it would do; needs the next two options',
    heading: 'SHADOW STEPS',
  },
  'routing.shadowSteps.model': {
    kind: 'text',
    label: t('Other model'),
    placeholder: t('Choose a model…'),
    option: '--shadow-steps-model <model>',
    help: 'the model that is asked too',
  },
  'routing.shadowSteps.maxUsd': {
    kind: 'number',
    unit: t('US dollars'),
    label: t('Cap of all steps'),
    option: '--shadow-steps-usd <usd>',
    help: 'what all shadow steps with this model may cost together',
  },
} as const
