import { metaOf, Modelport } from '@modelport/sdk'

const modelport = new Modelport()

const answer = await modelport.embeddings.create({
  model: 'auto', // the router's model for embeddings
  input: ['Paris is in France.', 'Rome is in Italy.'],
})

console.log(answer.data.length, 'vectors of', answer.data[0].embedding.length)
console.log(metaOf(answer)?.modelUsed)
