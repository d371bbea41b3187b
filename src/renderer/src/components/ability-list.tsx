import { Braces, Brain, Eye, FileText, Mic, Waypoints, Wrench, type LucideIcon } from 'lucide-react'
import type { Model } from '../../../shared/entities.ts'
import { abilitiesOf, abilityNames, type Ability } from '../usage/model-abilities.ts'
import { t } from '../../../shared/strings/strings.ts'

const icons: Readonly<Record<Ability, LucideIcon>> = {
  tools: Wrench,
  vision: Eye,
  audio: Mic,
  reasoning: Brain,
  json: Braces,
  files: FileText,
  embeddings: Waypoints,
}

/** What a model can do, as icons with names. */
export function AbilityList({ model }: { model: Model }) {
  const abilities = abilitiesOf(model)
  if (abilities.length === 0) return <span className="text-muted">—</span>
  return (
    <ul aria-label={t('Abilities')} className="flex gap-1.5 text-muted">
      {abilities.map((ability) => {
        const Icon = icons[ability]
        return (
          <li key={ability} title={abilityNames[ability]}>
            <Icon size={14} aria-hidden />
            <span className="sr-only">{abilityNames[ability]}</span>
          </li>
        )
      })}
    </ul>
  )
}
