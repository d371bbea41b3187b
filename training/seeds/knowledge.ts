/** Questions of daily work and curiosity, because the public exams have only exam questions. */
export const law = String.raw`
Can my employer ask for a doctor's note on the first day of illness?
What is the difference between a trademark and a copyright?
My tenancy agreement says three months' notice. Does that hold if the landlord sells the flat?
Draft a clause that limits liability to the fees paid in the last twelve months
Do I have to accept a voucher instead of a refund when a concert is cancelled?
Is a verbal agreement to sell a car binding?
Which duties does a data processor have under the GDPR when there is a breach?
Explain the difference between negligence and gross negligence with an example
Can a minor be held to a mobile phone contract?
What has to stand in the imprint of a small online shop?
What happens to a joint bank account when one of the holders dies?
Review this non-disclosure agreement for one-sided terms
Who is liable if a guest slips on my icy driveway?
`

export const business = String.raw`
Write a SWOT analysis for a bicycle courier company in a hilly town
How do I price a consulting project when the scope is unclear?
What does it mean when the gross margin falls but revenue grows?
Give me a go-to-market plan for a scheduling tool for small dental practices
Explain the difference between cash flow and profit to a new shop owner
How should I structure a quarterly report for investors of a young company?
Which key figures tell me that customers are about to leave a subscription?
Set up a simple chart of accounts for a freelance photographer
What questions should a hiring manager ask a warehouse supervisor?
How do I depreciate a delivery van over five years?
Make an agenda for a two-day strategy offsite of eight people
Compare leasing and buying a coffee machine for an office of thirty
`

export const economics = String.raw`
Why do central banks raise interest rates when prices rise?
What would a tariff on steel do to a country that imports most of it?
Explain opportunity cost with something from daily life
Why can rents rise although many new flats are built?
What is the difference between nominal and real wages?
How does a currency union limit what its members can do in a recession?
Why do economists dislike price ceilings on petrol?
`

export const history = String.raw`
Why did the Hanseatic League lose its power?
What was daily life like in a Roman provincial town?
How did the printing press change what ordinary people read?
Give me an overview of the causes of the Thirty Years' War
Which role did railways play in the settlement of the Canadian prairies?
Compare the decolonisation of Ghana and Algeria
Who decided the borders at the Congress of Vienna and why there?
How did people in the Middle Ages tell the time?
`

export const philosophy = String.raw`
What does Kant mean by acting out of duty?
Is it wrong to lie to protect somebody's feelings?
Explain the trolley problem and what it is meant to show
How do Stoics and Epicureans differ on how to live well?
What are the strongest arguments against free will?
Is a ship whose planks were all replaced still the same ship?
What does it mean to say that a theory cannot be falsified?
How do Buddhism and Jainism differ in their view of the self?
`

export const psychology = String.raw`
Why do we remember faces better than names?
What is the difference between guilt and shame?
How does sleep deprivation change the decisions people make?
Explain attachment theory in simple words
Why do groups often decide on riskier things than their members would alone?
What do studies say about screen time and the attention of children?
How can a teacher tell boredom from anxiety in a pupil?
How do sociologists explain why people vote as their neighbours do?
`

export const trivia = String.raw`
who wrote the song that plays at the end of the ice hockey film
what is the tallest lighthouse in Europe
when does daylight saving time end this year
which river flows through Basel
who was the first woman to win the Nobel prize twice
how many strings does a viola have
what is the capital of Burkina Faso
where was the first underground railway built
which country has the most islands
who plays the detective in the series about the bakery
how long does it take to fly from Lisbon to Reykjavik
what do you call a group of crows
`

export const everyday = String.raw`
How do I get a red wine stain out of a wool carpet?
What can I use instead of buttermilk in pancakes?
How often should I water a rubber plant in winter?
Which tyre pressure is right for a touring bike with luggage?
My washing machine smells, what should I clean first?
How do I fold a fitted sheet?
What does the orange light on a router usually mean?
How high should a desk be for someone of 1.90 m?
Where would you most likely find a stapler?
What do people usually do before they go to bed?
Do I need a visa for a stopover of six hours in Istanbul?
How do I sharpen a kitchen knife without a whetstone?
What size of moving van do I need for a two-room flat?
Which side of the road do they drive on in Malta?
`
