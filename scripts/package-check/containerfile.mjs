/** Reads a Containerfile: those of its instructions that packaging/headless/Containerfile uses. */

const known = ['FROM', 'ENV', 'RUN', 'COPY', 'USER', 'VOLUME', 'STOPSIGNAL', 'HEALTHCHECK']
const commands = ['ENTRYPOINT', 'CMD']

/**
 * @typedef {{ name: string, value: string }} Instruction
 * @typedef {object} Recipe
 * @property {string} base  the image that it starts from
 * @property {Instruction[]} steps  RUN, COPY, ENV and USER, in order
 * @property {string} user  who runs the program
 * @property {string[]} program  ENTRYPOINT and CMD
 * @property {string[]} healthcheck
 * @property {string} stopSignal
 */

/**
 * @param {string} text
 * @returns {Recipe}
 * @throws when an instruction is unknown or not written as expected
 */
export function readContainerfile(text) {
  const instructions = readInstructions(text)
  /** @param {string} name */
  const last = (name) => instructions.findLast((one) => one.name === name)?.value ?? ''
  return {
    base: last('FROM'),
    steps: instructions.filter(({ name }) => ['RUN', 'COPY', 'ENV', 'USER'].includes(name)),
    user: last('USER'),
    program: [...wordsOf(last('ENTRYPOINT')), ...wordsOf(last('CMD'))],
    healthcheck: wordsOf(last('HEALTHCHECK').replace(/^CMD /, '')),
    stopSignal: last('STOPSIGNAL'),
  }
}

/** @param {string} text @returns {Instruction[]} */
function readInstructions(text) {
  const withoutComments = text.replace(/^\s*#.*\n/gm, '')
  const lines = withoutComments.replace(/\\\n/g, '').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', value = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      if (![...known, ...commands].includes(name)) throw new Error(`Not understood: ${line}`)
      return { name, value: value.trim() }
    })
}

/**
 * The words of a command in its exec form, which starts no shell.
 * @param {string} value
 * @returns {string[]}
 */
function wordsOf(value) {
  if (!value.startsWith('[')) throw new Error(`Not a list of words: ${value}`)
  return JSON.parse(value)
}
