const { Modelport } = require('@modelport/sdk')

async function main() {
  const modelport = new Modelport()
  const answer = await modelport.chat.completions.create({
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
  })
  console.log(answer.choices[0].message.content)
}

void main()
