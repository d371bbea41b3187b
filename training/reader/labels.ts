/** The topic of a benchmark's subject or task. */
import type { Topic } from '../../src/shared/routers/topics.ts'

const labelsOf: Readonly<Partial<Record<Topic, readonly string[]>>> = {
  writing: ['commongen'],
  code_writing: ['human eval', 'mbpp'],
  code_tracing: ['crux'],
  computer_science: [
    'college computer science',
    'computer science',
    'computer security',
    'high school computer science',
    'machine learning',
  ],
  word_problems: ['agentverse mgsm', 'elementary mathematics', 'gsm', 'gsm8k'],
  formal_maths: [
    'abstract algebra',
    'college mathematics',
    'high school mathematics',
    'high school statistics',
    'math',
    'math l5',
  ],
  logic_puzzles: ['agentverse logicgrid', 'formal logic'],
  physics: ['astronomy', 'college physics', 'conceptual physics', 'high school physics', 'physics'],
  chemistry: ['chemistry', 'college chemistry', 'high school chemistry'],
  biology: ['biology', 'college biology', 'high school biology', 'medical genetics', 'virology'],
  medicine: [
    'anatomy',
    'clinical knowledge',
    'college medicine',
    'health',
    'human aging',
    'nutrition',
    'professional medicine',
  ],
  engineering: ['electrical engineering', 'engineering'],
  everyday_science: ['arc challenge', 'openbook qa'],
  research_science: ['gpqa'],
  law: ['international law', 'jurisprudence', 'law', 'professional law'],
  business: [
    'business',
    'business ethics',
    'management',
    'marketing',
    'professional accounting',
    'public relations',
  ],
  economics: [
    'econometrics',
    'economics',
    'high school macroeconomics',
    'high school microeconomics',
  ],
  psychology: [
    'high school psychology',
    'human sexuality',
    'professional psychology',
    'psychology',
    'sociology',
  ],
  history: [
    'high school european history',
    'high school geography',
    'high school government and politics',
    'high school us history',
    'high school world history',
    'history',
    'prehistory',
    'security studies',
    'us foreign policy',
  ],
  philosophy: [
    'logical fallacies',
    'moral disputes',
    'moral scenarios',
    'philosophy',
    'world religions',
  ],
  trivia: ['natural qa', 'trivia qa'],
  everyday: ['commonsense qa'],
  miscellany: ['global facts', 'miscellaneous', 'other'],
}

const topicByLabel = new Map<string, Topic>()
for (const [topic, labels] of Object.entries(labelsOf)) {
  // `Object.entries` loses the type of the keys, which are those of the record above.
  for (const label of labels) topicByLabel.set(label, topic as Topic)
}

/** @returns null if the label is too general, such as `mmlu` for all its subjects */
export function topicOfLabel(label: string): Topic | null {
  return topicByLabel.get(label.toLowerCase().replaceAll(/[-_]/g, ' ')) ?? null
}
