/** Counts broken steps, and decides when they are too many: in a session, for all of a client, and of a model. */

const mostSessions = 2_000
const mostGroups = 500
/** Two broken ones of ten raise the alarm of a session. */
const lastOfSession = 10
const mostOfSession = 1
/** More than ten of two hundred raise that of a client at a provider. */
const lastOfGroup = 200
const mostOfGroup = 10
/** Of a model whose vendor promises nothing, the last fifty are compared with its own week. */
const lastOfModel = 50
const leastOfWeek = 200
const dayMs = 86_400_000
const days = 7
/** A share this many standard deviations above the usual one is no chance. */
const deviations = 4

export interface CountedStep {
  session: string
  group: string
  candidate: { modelId: string }
  isPromised: boolean
  isBroken: boolean
}

/** The newest steps, as bits. */
interface Recent {
  broken: boolean[]
  isAlarmed: boolean
}

interface Week extends Recent {
  days: { day: number; eligible: number; broken: number }[]
}

export class BrokenShares {
  readonly #clock: () => number
  readonly #sessions = new Map<string, Recent>()
  readonly #groups = new Map<string, Recent>()
  readonly #models = new Map<string, Week>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** @returns whether this step raises an alarm, which is raised once until things are well again */
  count(step: CountedStep): boolean {
    const { session, group, candidate, isPromised, isBroken } = step
    if (!isPromised) return this.#countOfModel(candidate.modelId, isBroken)
    const ofSession = kept(this.#sessions, session, mostSessions)
    const ofGroup = kept(this.#groups, group, mostGroups)
    const bySession = isAlarm(ofSession, isBroken, { last: lastOfSession, most: mostOfSession })
    const byGroup = isAlarm(ofGroup, isBroken, { last: lastOfGroup, most: mostOfGroup })
    return bySession || byGroup
  }

  #countOfModel(modelId: string, isBroken: boolean): boolean {
    const known = this.#models.get(modelId) ?? { broken: [], isAlarmed: false, days: [] }
    this.#models.set(modelId, known)
    const day = Math.floor(this.#clock() / dayMs)
    known.days = known.days.filter((one) => one.day > day - days)
    const today = known.days.find((one) => one.day === day) ?? { day, eligible: 0, broken: 0 }
    if (today.eligible === 0) known.days.push(today)
    const eligible = known.days.reduce((sum, one) => sum + one.eligible, 0)
    const usual = known.days.reduce((sum, one) => sum + one.broken, 0) / Math.max(1, eligible)
    today.eligible += 1
    today.broken += Number(isBroken)
    const spread = Math.sqrt(lastOfModel * usual * (1 - usual))
    const most = eligible < leastOfWeek ? Infinity : lastOfModel * usual + deviations * spread
    return isAlarm(known, isBroken, { last: lastOfModel, most })
  }
}

function isAlarm(
  recent: Recent,
  isBroken: boolean,
  { last, most }: { last: number; most: number },
): boolean {
  recent.broken.push(isBroken)
  if (recent.broken.length > last) recent.broken.shift()
  const broken = recent.broken.filter(Boolean).length
  const isNew = broken > most && !recent.isAlarmed
  // It is over when half as many are broken.
  recent.isAlarmed = isNew || (recent.isAlarmed && broken > most / 2)
  return isNew
}

function kept(map: Map<string, Recent>, name: string, most: number): Recent {
  const recent = map.get(name) ?? { broken: [], isAlarmed: false }
  map.delete(name)
  map.set(name, recent)
  if (map.size > most) removeOldest(map)
  return recent
}

function removeOldest(map: Map<string, unknown>): void {
  for (const [oldest] of map) {
    map.delete(oldest)
    return
  }
}
