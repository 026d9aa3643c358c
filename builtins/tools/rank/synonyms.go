package rank

// synonyms are groups of words that stand for one another in the names of
// tools and in requests.
const synonyms = `
create add new make insert generate build compose produce craft
delete remove erase destroy drop clear purge discard uninstall
update edit modify change alter adjust set patch revise amend
list show display view enumerate browse see
get fetch retrieve read obtain pull load acquire access
find search lookup query locate discover seek identify
send post submit deliver transmit mail dispatch publish
buy purchase order shop acquire buying bought shopping
sell sale selling sold vendor
price cost fee rate charge pricing priced expense quote fare
cheap affordable budget inexpensive bargain low
weather forecast climate meteorology meteorological
flight fly airline plane airplane flying aviation flights flew airfare
hotel accommodation lodging stay hostel motel inn resort
house home property apartment housing residence
rent rental lease renting hire tenant
car vehicle auto automobile automotive cars truck
trip travel journey tour vacation holiday itinerary tourism
movie film cinema movies films
song music track tune songs
show series tv television episode
book reserve reservation booking appointment
book novel literature ebook reading
job career employment vacancy position occupation hiring recruit work
salary wage pay income compensation earnings
resume cv curriculum
recipe cook cooking dish meal cuisine food
restaurant dining eatery eat cafe diner
drink beverage cocktail
diet nutrition nutritional calorie healthy
exercise workout fitness gym training
doctor physician medical clinic clinician
medicine drug medication pharmacy pill prescription
disease illness condition disorder sickness
symptom diagnosis diagnose
picture image photo photograph pic photos visual snapshot
draw sketch paint illustration drawing art artwork illustrate
video clip footage movie
audio sound voice speech recording
transcript transcribe transcription subtitle caption
translate translation translator language interpret
summarize summary summarise summarization digest abstract condense
write author compose draft writing
rewrite paraphrase rephrase reword
check verify validate confirm inspect test
compare comparison difference versus diff contrast
analyze analysis analyse analytics examine assess evaluate evaluation study
calculate compute calculation computation calculator
convert conversion transform converter
count number amount total quantity
maximum max highest biggest largest
minimum min lowest smallest
average mean median
start begin launch run execute open activate
stop end halt terminate cancel quit close abort finish
pause suspend hold
resume continue
enable activate
disable deactivate
copy duplicate clone replicate
move transfer relocate
rename name title
save store keep persist record
upload import attach
download export
share collaborate
join combine merge concatenate unite
split divide separate
sort order rank arrange
filter select narrow
group category categorize classify classification organize
recommend suggest propose advise recommendation suggestion
guide tutorial howto instruction manual walkthrough
learn study education educational learning teach
teacher tutor instructor educator
student pupil learner
course class lesson curriculum
school college university academy
question ask query quiz inquiry
answer reply respond response
problem issue bug defect ticket error
fix repair resolve solve mend
error exception failure fault
monitor track watch observe monitoring tracking follow
alert notify notification alarm remind reminder warning
schedule calendar agenda timetable plan
event meeting appointment
task todo chore
note memo notes jot
message chat sms text dm conversation
email mail inbox gmail
phone telephone call mobile
contact person people address
user account member profile
login signin authenticate authentication authorize auth credential
password secret passphrase credential
permission access privilege role
company business firm organization corporation enterprise organisation
customer client consumer buyer
supplier vendor seller
employee staff worker personnel
team group crew squad
stock share equity ticker securities
invest investment investor investing portfolio
crypto cryptocurrency bitcoin coin blockchain ethereum token
currency exchange forex
money cash fund funds
bank banking
loan mortgage credit lending borrow
tax taxes vat
insurance insure coverage policy
bill invoice billing receipt
pay payment checkout paid paying
discount coupon deal promo voucher offer promotion
gift present
product item goods merchandise
store shop retailer outlet market
delivery shipping shipment parcel package courier ship
law legal lawyer attorney legislation statute
contract agreement
patent trademark
news headline article headlines
blog post article
paper research scholarly academic publication journal arxiv
document doc file pdf
directory folder dir
website site webpage web page
url link hyperlink
domain dns hostname
map location place geographic geography geo
address street
nearby near close closest nearest around
direction route navigation navigate directions
distance far length
city town municipality
country nation
airport airfield
train rail railway
bus coach transit
taxi cab ride uber
traffic congestion
date day time
hour minute
now current today present realtime live
history past previous historical
future upcoming predict prediction forecast
temperature hot cold
rain rainfall precipitation
earthquake seismic quake
game gaming play videogame
player athlete
sport sports athletic
soccer football
match game fixture
score result points
joke humor funny
story tale narrative fiction
quote quotation saying
poem poetry verse
lyrics lyric
horoscope zodiac astrology
fortune divination tarot
dream dreams
baby infant newborn
child kid children kids
dog puppy
cat kitten
pet animal
plant flower garden gardening
charity nonprofit donate donation
wine vineyard
beer brewery
coffee espresso
wedding marriage
dating date relationship
chart graph plot diagram visualization visualize visualise
table spreadsheet sheet excel
row record entry
column field attribute
slide presentation powerpoint slides
logo brand branding
design designer template
color colour palette
style theme
code program programming coding software developer source
function method procedure
script command shell terminal bash
repository repo git github
branch fork
commit push
pr pull
issue ticket
deploy deployment release
container docker image
server host machine instance
database db sql
api endpoint interface
log logs logging
metric statistic stats statistics
dashboard panel report
key token
encrypt encryption cipher
security secure safety vulnerability
random dice chance
puzzle riddle brainteaser
chess checkers
image picture
qr barcode
screenshot capture
browser chrome web
click tap press
type input enter fill
navigate goto visit
tab window
scrape crawl crawler scraping extract
keyword tag label keywords hashtag
seo ranking
ad advertisement advertising ads advert campaign
marketing promote promotion
social media
tweet twitter
youtube video
podcast episode
review rating feedback opinion ratings reviews
popular trending trend trends top
word vocabulary term
dictionary definition define meaning
grammar spelling proofread
synonym thesaurus
math mathematics mathematical equation
integral derivative calculus
science scientific
physics chemistry
space astronomy planet nasa
carbon emission co2 footprint
energy electricity power
air quality pollution aqi
water sea ocean
light lamp lights lighting bulb
device appliance gadget
thermostat heating
lock unlock
door gate
alarm timer clock stopwatch
playlist album
artist singer musician band
play stream listen
volume loud
watch stream
genre category
actor actress cast star
director filmmaker
concert gig
theater theatre
ticket tickets pass
seat seats
passenger traveler traveller
luggage baggage
visa passport
beach coast
museum gallery
attraction sightseeing landmark sight
hike hiking trail
camp camping
bike bicycle cycling
run running jog
swim swimming
sleep insomnia
mental psychology therapy therapist counseling
stress anxiety
meditate meditation mindfulness
weight bmi
blood pressure
hair haircut salon stylist barber
makeup beauty cosmetic cosmetics skincare
clothes clothing fashion outfit apparel garment wear dress
shoe shoes sneaker footwear
furniture chair sofa
clean cleaning housekeeper cleaner
repair maintenance
tool utility
memory remember recall
graph node entity
relation relationship
user customer
id identifier uuid
size dimension
big large huge
small little tiny
fast quick rapid speed
old ancient
empty blank null
true false boolean
all every everything
archive compress zip
extract unzip decompress
print printer
sign signature
vote poll survey
subscribe subscription
unsubscribe cancel
comment remark
like favorite favourite
follow follower
block ban
report complain complaint
approve accept
reject decline deny
assign allocate
complete finish done
status state progress
version release
install setup
configure configuration config setting settings preference
test testing
debug troubleshoot
performance speed latency
backup restore
sync synchronize
format layout
encode decode
parse extract
replace substitute swap
append add
reverse invert
round floor
generate random
`
