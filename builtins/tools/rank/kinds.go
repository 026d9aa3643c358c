package rank

// kinds says of what kind things are, in the form of the everyday list: people
// name the thing, tools name its kind.
const kinds = `
dollar dollars usd eur euro euros gbp pound pounds sterling jpy yen yuan cny rupee rupees inr franc chf peso pesos ruble aud cad bucks > currency exchange money
apple tesla google microsoft amazon nvidia intel ibm netflix > stock company stocks
nasdaq dow s&p ftse index etf shares dividend > stock market finance
bitcoin btc ethereum eth dogecoin solana altcoin > crypto cryptocurrency coin token
sushi ramen izakaya tapas burger burgers steakhouse bistro brunch takeaway buffet diner pub > restaurant food dining
pizza pasta curry lasagna soup salad sandwich noodles taco steak fries coffee latte tea > food recipe order meal drink
chicken beef rice potato tomato egg eggs cheese garlic flour butter sugar vegetable vegetables fruit > recipe ingredient food
cookie cookies cake bread pie dessert brownie > recipe baking
vegan vegetarian keto ketogenic paleo gluten > diet recipe food
carbs protein fiber vitamins vitamin snack > nutrition diet food
martini mojito margarita whiskey vodka gin rum > cocktail drink
headphones earbuds laptop smartphone iphone camera tv television monitor keyboard printer console smartwatch > product shopping products
shoes sneakers boots dress shirt jacket jeans skirt hoodie coat handbag sunglasses > product fashion clothing shopping
chair desk table couch mattress bed shelf lamp carpet > furniture product home
toy toys lego doll > product gift children
lipstick mascara foundation shampoo moisturizer perfume > beauty product cosmetics
townhouse townhouses condo condos studio loft villa bungalow duplex flat bedroom bedrooms backyard > house property apartment real estate
landlord tenant lease sublet roommate > rent house apartment
sedan suv truck van motorcycle convertible pickup > car vehicle
toyota honda ford bmw audi volkswagen mercedes > car vehicle
flight flights plane layover airfare > travel flight trip
hotel hostel airbnb resort motel > travel hotel accommodation trip
honeymoon cruise safari getaway roadtrip backpacking > travel trip itinerary
museum museums landmark landmarks temple castle attractions attraction > travel tourist attractions places
beach coast surf waves tide > beach surf ocean weather
rain raining rainy snow snowing sunny cloudy windy storm humid humidity umbrella temperature > weather forecast
hurricane tornado flood wildfire tsunami > disaster weather alert
biology chemistry physics algebra calculus geometry > science math study education
exam exams test quiz sat gre ielts toefl finals > exam study practice
homework assignment essay thesis dissertation > study write education academic
toddler kid kids preschooler kindergarten daughter son > children kids educational
guitar piano violin drums chord melody > music song
jazz rock pop reggae rap hiphop metal blues > music song genre
netflix hulu disney sitcom drama comedy thriller horror documentary anime > movie show film tv
actor actress director cast starring > movie film
soccer basketball tennis baseball cricket hockey golf rugby nfl nba > sports game match
chess poker sudoku crossword trivia > game puzzle
yoga pilates cardio squats pushups jogging > workout exercise fitness
flu fever headache cough pain nausea allergy rash > symptom health medical
cancer diabetes asthma arthritis > disease health clinical medical
aspirin ibuprofen antibiotic insulin > drug medicine
scorpio leo virgo libra gemini aries taurus capricorn aquarius pisces sagittarius > horoscope zodiac astrology
rose roses tulip orchid cactus fern succulent > plant flower garden
dog dogs cat cats puppy kitten hamster parrot > pet animal
mars moon jupiter saturn asteroid comet galaxy > space nasa astronomy planet
lawsuit court judge case attorney plaintiff > law legal
congress senate parliament senator mp minister > politics government
plumber electrician cleaner housekeeper babysitter nanny handyman > service provider home
wedding birthday anniversary graduation christmas > gift event party
spanish french german italian portuguese chinese mandarin korean russian arabic hindi > language translate
manhattan brooklyn downtown > location city map
kitchen bathroom bedroom livingroom garage > home room
lamp bulb thermostat heater ac vacuum > device appliance home
gmail outlook hotmail > email
facebook instagram twitter tiktok snapchat reddit linkedin > social media post
youtube vimeo > video
whatsapp telegram messenger > message chat
paypal venmo stripe > payment
excel csv tsv xlsx > spreadsheet table data file
pdf docx doc txt odt epub > document file
jpg jpeg png gif svg webp > image picture
mp3 wav flac > audio music
mp4 avi mkv > video
python javascript java typescript golang rust php ruby react angular vue django node numpy pandas > code programming library language
ubuntu linux debian crontab ssh bash terminal > server command shell
mysql postgres postgresql sqlite mongodb > database sql query
kubernetes docker helm terraform > deploy container infrastructure
aws azure gcp heroku vercel > cloud server deploy
`
