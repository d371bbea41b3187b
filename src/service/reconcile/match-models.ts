/** Which of Modelport's models a bill's name means: aliases, dated versions, and the vendors' ways of writing names. */

export interface KnownModel {
  /** `<provider>:<model_name>` */
  id: string
  /** Names of the same model at the same price. */
  aliases: readonly string[]
}

/**
 * A key that is equal for all names of a model. An exact name comes before an alias, and an alias before a name without
 * its date, because a dated version can have a price of its own.
 * @param models  the most used first: of two with one alias, the first has it
 */
export function openModelKeys(models: readonly KnownModel[]): (name: string) => string {
  const names = new Map<string, string>()
  const nameOf = ({ id }: KnownModel) => plain(id.slice(id.indexOf(':') + 1))
  for (const model of models) {
    for (const alias of model.aliases) {
      if (!names.has(plain(alias))) names.set(plain(alias), nameOf(model))
    }
  }
  // A listed version is the same model as the one that has it as an alias: the catalogue says so.
  for (const model of models) {
    const name = nameOf(model)
    if (!names.has(name)) names.set(name, name)
  }
  return (name) => {
    const given = plain(name)
    const undated = withoutDate(given)
    return names.get(given) ?? names.get(undated) ?? undated
  }
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^models\//, '')
    .replaceAll(/[\s._@]+/g, '-')
}

/** Without the end of `gpt-4o-2024-08-06`, `claude-sonnet-4-20250514`, `gemini-2-5-pro-001` and `…-latest`. */
function withoutDate(name: string): string {
  return name.replace(/-(20\d\d-\d\d-\d\d|20\d{6}|latest|00\d)(?=$|:)/, '')
}
