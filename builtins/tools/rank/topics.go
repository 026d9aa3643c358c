package rank

// topics are groups of words that share a subject: everyday matters.
const topics = `
weather forecast temperature rain snow wind humidity sunny cloudy storm climate degrees celsius fahrenheit umbrella precipitation hurricane tornado uv
flight airline airport plane ticket departure arrival boarding passenger layover nonstop economy class fly airfare
hotel room accommodation check-in guest night stay hostel bed resort airbnb lodging suite breakfast
travel trip vacation itinerary destination tourist tourism tour journey sightseeing holiday attraction landmark backpacking excursion abroad visit getaway
house apartment property estate mortgage rent realtor bedroom bathroom listing landlord condo zillow neighborhood homebuyer redfin home buyer
car vehicle rental engine dealer dealership automobile drive driver mileage sedan suv fuel tire ev charging
train railway station bus subway metro transit timetable platform commuter departure
taxi cab ride uber lyft driver pickup fare
map location directions route distance latitude longitude coordinates address nearby place navigation geocode gps traffic
restaurant menu table dining food cuisine reservation chef meal eat dinner lunch takeout yelp cafe
recipe ingredient cook dish meal bake oven kitchen cuisine food chef dinner breakfast vegan vegetarian
grocery supermarket food produce shopping pantry fridge
drink cocktail wine beer bar spirits beverage alcohol whisky liquor mixology
diet nutrition calorie protein vitamin meal weight healthy fat carb keto macros food
fitness exercise workout gym muscle training cardio yoga running strength routine stretching
health doctor medical hospital clinic patient symptom disease treatment nurse diagnosis medicine healthcare wellness physician
drug medicine medication dose prescription pharmacy side effects interaction pill
mental therapy stress anxiety depression emotion mood meditation mindfulness counselor psychologist wellbeing emotional
sleep insomnia bedtime nap rest alarm dream
pregnancy baby parent child parenting toddler mother birth
movie film actor director cinema imdb showtime theater trailer watch plot cast hollywood
tv series show episode season streaming netflix watch channel broadcast
music song artist album band playlist concert singer spotify lyrics genre melody chord guitar piano listen tune
podcast episode audio listen host radio
book author novel reading library isbn publisher chapter literature fiction bestseller ebook read
news headline article journalist newspaper press media breaking story current affairs politics
sport team game match score league player season tournament championship coach football basketball baseball soccer nba nfl nhl standings fixture athlete
game gaming player level quest character play multiplayer steam xbox minecraft rpg dungeon adventure
chess board move opponent checkmate opening elo
puzzle riddle trivia crossword sudoku quiz brain word guess wordle
joke humor funny laugh comedy meme
story tale fiction character narrative plot fairy bedtime adventure novel creative
poem poetry rhyme verse haiku
art painting drawing artist gallery museum sketch artwork illustration canvas
photo picture image camera photography photographer photograph stock wallpaper
image picture generate midjourney prompt dalle illustration render photorealistic visual art diffusion
design logo template graphic visual banner poster canva brand designer layout flyer
video clip youtube edit film footage editor animation subtitle channel record
gif meme animated sticker giphy emoji
audio sound voice speech speak record noise tts pronunciation
translate language english spanish french german chinese japanese translation bilingual foreign korean italian
language learn vocabulary grammar pronunciation practice fluent conversation words lesson speaking
school student education teacher class course university college learn study degree exam lesson curriculum homework campus scholarship
course class tutorial training learn online certificate udemy coursera lecture workshop skill
exam test quiz score practice sat gre question questions prepare flashcard
job career resume employer interview hire recruiter salary vacancy position candidate employment occupation openings work apply linkedin
salary income wage pay tax payroll bonus
money finance budget saving bank financial invest loan credit debt income spending expense wealth retirement
bank account transfer balance transaction deposit withdraw savings checking
loan mortgage interest credit debt repay repayment lender apr score payoff installment
stock market share price ticker invest trading nasdaq portfolio dividend earnings equity quote shares wall etf investor valuation
crypto bitcoin ethereum blockchain token wallet coin nft defi cryptocurrency exchange web3 onchain ledger
currency exchange rate dollar euro yen forex convert pound usd eur
tax irs deduction filing return vat income
insurance policy premium claim coverage insurer
invoice bill payment receipt billing due
shop shopping buy product store price deal purchase amazon cart brand retailer ecommerce online compare seller ebay item walmart
discount coupon deal sale promo code voucher cheap savings bargain offer
gift present birthday christmas surprise anniversary holiday occasion
clothes fashion outfit dress style wear shirt shoes jeans wardrobe brand size jacket designer
beauty makeup skin hair skincare cosmetic salon nail
furniture interior decor room sofa home decorate design
garden plant flower seed soil grow tree lawn
pet dog cat puppy vet breed animal kitten adopt
animal wildlife species bird fish nature zoo
science physics chemistry biology research experiment scientific molecule chemical
space planet star nasa astronomy orbit satellite rocket mars moon telescope asteroid galaxy
earthquake volcano disaster flood wildfire emergency seismic magnitude tsunami
air quality pollution aqi smog pollen breathe asthma ozone
carbon emission climate footprint green sustainability renewable co2 environment sustainable offset
energy electricity solar power grid utility battery
math equation algebra calculus integral number solve formula geometry calculate matrix derivative statistics wolfram
calculate sum multiply add subtract divide number plus arithmetic product percentage
unit convert meter kilometer mile pound kilogram celsius length weight measurement inch
statistics probability mean median variance distribution regression average deviation
date time calendar day week month year timezone hour clock minute
calendar event meeting schedule appointment reminder agenda invite attendee availability slot
task todo project deadline priority checklist assignee kanban trello asana backlog
reminder alarm timer clock wake notify
note memo notebook notion evernote journal write
email mail inbox gmail message send recipient subject draft reply attachment newsletter
message chat sms text send whatsapp telegram slack channel discord conversation
phone call number dial mobile contact telephone voicemail
contact address person name phone email crm lead
meeting zoom call conference transcript minutes video recording
presentation slide powerpoint deck pitch slides
document pdf file page word text upload docx paper read
spreadsheet excel sheet csv row column cell google
chart graph plot visualization diagram data visualize bar pie flowchart mermaid mindmap
paper research arxiv journal citation author scientific academic publication scholar literature study doi pubmed abstract thesis
law legal lawyer court attorney case statute contract rights litigation judge lawsuit regulation
patent trademark invention intellectual
government policy election congress senator vote politician bill president political representative legislation
charity donate nonprofit foundation volunteer cause ngo fundraising
religion bible quran prayer god verse church scripture faith spiritual
astrology horoscope zodiac tarot birth chart fortune moon psychic
dating love relationship partner romance couple date
wedding bride ceremony party guest
event concert ticket show venue festival theater conference ticketmaster meetup
festival holiday celebration tradition culture
history historical ancient war century civilization
person biography born celebrity famous people
company business startup corporate revenue enterprise industry firm founder ceo
marketing campaign ad audience brand seo advertising promotion content leads strategy
seo keyword google ranking traffic search backlink website
social media twitter instagram facebook post tweet follower linkedin tiktok trend hashtag reddit
review rating opinion feedback customer stars recommend
survey poll form questionnaire response typeform
sales lead crm customer pipeline deal salesforce prospect hubspot
customer support ticket helpdesk complaint service zendesk refund
hire recruit candidate talent interview applicant resume
freelance contractor hire project gig
delivery package shipment tracking courier parcel ship postal mail fedex ups
order cart checkout purchase payment refund track
payment pay transfer card paypal stripe transaction venmo send money
home smart light thermostat device lamp room switch iot alexa
cleaning housekeeper maid laundry ironing plumber handyman repair
app application mobile android iphone ios build builder
website web site page url internet browser online domain host
plugin extension addon tool app
`
