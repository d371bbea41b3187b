/** Prompts as people type them into a chat, one per line; written for this file. */
export const conversation = String.raw`
hey, how was your weekend?
I feel a bit low today and just want someone to talk to
Can you keep me company while I wait for my train?
Tell me something nice about rainy mornings
what should I cook tonight, I have eggs, spinach and half a lemon
My neighbour keeps parking in front of my gate. How do I bring it up without a fight?
Give me three ideas for a birthday present for my sister, she likes gardening and old films
I can't sleep. Any tips that don't involve pills?
Should I take the job in the other city or stay near my parents?
Let's play a game: you think of an animal and I guess it
What do you think about people who talk in the cinema?
thanks, that was helpful!
ok and what would you do in my place?
Could you explain that again, but shorter?
Recommend a series I can watch with my grandmother
I have a date on Friday and I'm nervous. What can we talk about?
Suggest a relaxed weekend plan for two adults and a toddler in a small town
Is it rude to leave a party without saying goodbye to everyone?
Roleplay as a strict but funny yoga teacher and greet the class
How do I tell my flatmate that I'm moving out?
Which is nicer in October, the coast or the mountains?
I've been learning the guitar for a month and my fingers hurt, is that normal?
Can we continue where we stopped yesterday?
Plan a week of vegetarian dinners that take less than half an hour each
My dog is afraid of the vacuum cleaner, what can I do?
hi
good morning! what can you help me with?
What would be a good name for a grey cat with white paws?
Cheer me up, I failed my driving test
I want to start running but I always give up after two weeks
Help me decide between a folding bike and a monthly bus ticket
how do I politely decline a wedding invitation
Pretend you are a lighthouse keeper and tell me about your day
What small talk works with a dentist?
I'd like to pack for five days with only a backpack, what do I leave at home?
`

export const writing = String.raw`
Write a short poem about a kettle that is afraid of boiling
Write an email to my landlord asking him to repair the heating before winter
Draft a cover letter for a position as a museum guide; I have worked in a library for six years
Make this sound friendlier: "Your payment is late. Pay now."
Write a bedtime story about a snail who wants to see the sea, about 300 words
Give me ten slogans for a bakery that opens at four in the morning
Write a speech for my brother's wedding, two minutes, warm, one joke, nothing about exes
Compose a limerick about a programmer who forgot his umbrella
Write a product description for a wooden phone stand in a playful tone
Help me write a complaint to the airline about a suitcase that arrived two days late
Continue this story: The lift stopped between the floors, and the light went out.
Write a dialogue between two old friends who meet at a bus stop after thirty years
Draft an announcement for our team that the office moves to the second floor in March
Write a haiku about snow on a motorway
I need an Instagram caption for a photo of my muddy boots
Write the opening paragraph of a crime novel that begins in a greenhouse
Write a thank-you note to a teacher who helped my daughter with reading
Turn these notes into a friendly newsletter: new opening hours, parking closed, soup on Thursdays
Write a song chorus about leaving a small town at night
Write a eulogy for a grandfather who loved fishing and bad puns
Improve the style of this paragraph without changing what it says: I was going to the shop and then I was seeing him there.
Write a LinkedIn post about finishing a nursing course at forty-five
Write a blog post of 500 words on why allotment gardens make good neighbours
Give my essay a better title; it is about silence in libraries
Write an invitation to a street party with a potluck and a brass band
Write a monologue for a character who has just been told that he won the wrong prize
Write a review of a restaurant where the food was great and the waiting was terrible
Draft a message to parents that the school trip is postponed because of the storm warning
Rewrite this text in the voice of a sports commentator: the cat walked to the window and sat down
Write a short fable whose moral is that being early is not the same as being ready
Write an out-of-office reply that is polite but clear that I won't read messages
Write a toast for a colleague who retires after thirty years in accounting
Create a character description of a retired pirate who now runs a laundry
Write a love letter from the moon to the tide
Write a fundraising letter for a village choir that needs a new piano
Use these words in a short story: ladder, violin, marmalade, thunder
Write one coherent sentence that uses all of the words: boat, river, hold, bridge, wave
`
