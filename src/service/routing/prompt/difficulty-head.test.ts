/** Tests what makes a prompt look hard or easy. */
import { describe, expect, test } from 'vitest'
import { readInstruction } from './instruction-features.ts'
import { readPrompt } from './read-prompt.ts'

const read = (lastUser: string) => readPrompt({ lastUser, system: '' })
const difficultyOf = (lastUser: string) => read(lastUser).difficulty

const hard =
  'Prove that a lock-free queue with hazard pointers is linearizable, and derive a bound on retries.'
const report = 'The committee met on Monday and agreed on the minutes of the last meeting. '

describe('difficulty', () => {
  test('a greeting is easier than a proof about concurrent code', () => {
    expect(difficultyOf('hi there, thanks!')).toBeLessThan(difficultyOf(hard) - 1)
  })

  test('the length of the material does not count', () => {
    const ask = (times: number) => `Summarise this in one sentence.\n\n${report.repeat(times)}`
    // Topics and form are read from the whole prompt.
    expect(Math.abs(difficultyOf(ask(400)) - difficultyOf(ask(40)))).toBeLessThan(0.2)
  })

  test('the options of a question are not part of the instruction', () => {
    const question = 'Which of these is a prime number?'
    const options = '\nA. Nine hundred and ninety-seven\n(B) An even one\nC) None of these'
    expect(readInstruction(question + options)).toEqual(readInstruction(question))
  })

  test.each([
    ['Beweise, dass es unendlich viele Primzahlen gibt.', 'Hallo, danke!'],
    ['Démontre que la racine de deux est irrationnelle.', 'Bonjour, merci !'],
    ['Demuestra que existen infinitos números primos.', 'Hola, gracias'],
  ])('a proof is harder than a greeting in other languages too: %s', (proof, greeting) => {
    expect(difficultyOf(proof)).toBeGreaterThan(difficultyOf(greeting) + 0.5)
  })

  test('an empty prompt and one of signs only have a difficulty', () => {
    for (const prompt of ['', '???', '12']) expect(difficultyOf(prompt)).toBeGreaterThan(-4.1)
  })
})

describe('reasons', () => {
  test('a hard prompt names its cues, an easy one its own', () => {
    expect(read(hard).difficultyReasons).toContain('proof')
    expect(read('hi there, thanks!').difficultyReasons).toContain('small talk')
  })

  test('are at most three', () => {
    expect(read(hard).difficultyReasons.length).toBeLessThanOrEqual(3)
  })
})
